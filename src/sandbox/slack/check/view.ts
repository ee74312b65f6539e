import { Buffer } from 'node:buffer';
import { blockLists } from './blocks/index.ts';
import { limits } from './limits.ts';
import { below, createWhole, refuse, rootOf } from './path.ts';
import { type Problem, problemIn } from './problem.ts';
import { has, isFields, kind, type Rule, typed } from './shapes.ts';
import { plainText } from './text-objects.ts';
import { flag, id, text } from './values.ts';

/**
 * Slack echoes these as empty strings if they weren't set. An empty string is refused here, so that a bot doesn't send
 * the echo back as it is.
 */
const carried = {
  private_metadata: text(limits.view.privateMetadata),
  callback_id: id,
  external_id: id,
};

const submittable: Rule = (view, path) => {
  if (path.whole.inputs > 0 && !has(view, 'submit')) refuse(path, 'missing required field: submit');
};

const view = typed({
  modal: kind(
    {
      required: { title: plainText(limits.view.title), blocks: blockLists.modal },
      optional: {
        ...carried,
        submit: plainText(limits.view.submit),
        close: plainText(limits.view.close),
        clear_on_close: flag,
        notify_on_close: flag,
      },
    },
    submittable,
  ),
  home: kind({ required: { blocks: blockLists.home }, optional: carried }),
});

/** Checks a modal or a Home tab, by its `type`. */
export function checkView(value: unknown): Problem | undefined {
  const whole = createWhole(isFields(value) && value.type === 'home' ? 'home' : 'modal');
  view(value, below(rootOf(whole), 'view'));
  return problemIn(whole, 'invalid_arguments') ?? tooLarge(value);
}

/** Runs last: a view that passed the other checks isn't nested too deeply for JSON.stringify. */
function tooLarge(value: unknown): Problem | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > limits.view.bytes ? { error: 'view_too_large', messages: [] } : undefined;
}
