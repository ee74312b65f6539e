import { Buffer } from 'node:buffer';
import { blockLists } from './blocks/index.ts';
import { limits } from './limits.ts';
import { child, createCheckState, refuse, rootOf } from './path.ts';
import { type Problem, problemIn } from './problem.ts';
import { byType, hasField, isFields, type Rule, variant } from './shapes.ts';
import { plainText } from './text-objects.ts';
import { flag, id, text } from './values.ts';

/**
 * Slack returns these as empty strings if they weren't set. An empty string is refused here, so that a bot doesn't send
 * a returned view back unchanged.
 */
const metadataFields = {
  private_metadata: text(limits.view.privateMetadata),
  callback_id: id,
};

const needsSubmit: Rule = (view, path) => {
  if (path.state.inputs > 0 && !hasField(view, 'submit')) refuse(path, 'missing required field: submit');
};

const view = byType({
  modal: variant(
    {
      required: { title: plainText(limits.view.title), blocks: blockLists.modal },
      optional: {
        ...metadataFields,
        submit: plainText(limits.view.submit),
        close: plainText(limits.view.close),
        notify_on_close: flag,
      },
    },
    needsSubmit,
  ),
  home: variant({ required: { blocks: blockLists.home }, optional: metadataFields }),
});

/** Checks a modal or a Home tab, by its `type`. */
export function checkView(value: unknown): Problem | undefined {
  const state = createCheckState(isFields(value) && value.type === 'home' ? 'home' : 'modal');
  view(value, child(rootOf(state), 'view'));
  return problemIn(state, 'invalid_arguments') ?? checkSize(value);
}

/** Runs last: a view that passed the other checks isn't nested too deeply for JSON.stringify. */
function checkSize(value: unknown): Problem | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > limits.view.bytes ? { error: 'view_too_large', messages: [] } : undefined;
}
