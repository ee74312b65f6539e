import { Buffer } from 'node:buffer';
import { blockLists } from './blocks/index.ts';
import { limits } from './limits.ts';
import { below, createWhole, refuse, rootOf } from './place.ts';
import { type Problem, problemIn } from './problem.ts';
import { has, isFields, kind, type Rule, typed } from './shapes.ts';
import { plainText } from './text-objects.ts';
import { flag, text } from './values.ts';

/** Slack writes these three as empty strings where nothing was given, so an empty one is as good as none. */
const possiblyEmpty = {
  private_metadata: text(limits.view.privateMetadata, 0),
  callback_id: text(limits.id, 0),
  external_id: text(limits.id, 0),
};

const submittable: Rule = (view, place) => {
  if (place.whole.inputs > 0 && !has(view, 'submit')) refuse(place, 'missing required field: submit');
};

const view = typed({
  modal: kind(
    {
      required: { title: plainText(limits.view.title), blocks: blockLists.modal },
      optional: {
        ...possiblyEmpty,
        submit: plainText(limits.view.submit),
        close: plainText(limits.view.close),
        clear_on_close: flag,
        notify_on_close: flag,
      },
    },
    submittable,
  ),
  home: kind({ required: { blocks: blockLists.home }, optional: possiblyEmpty }),
});

/** A modal or a Home tab, by its own `type`. */
export function checkView(value: unknown): Problem | undefined {
  const whole = createWhole(isFields(value) && value.type === 'home' ? 'home' : 'modal');
  view(value, below(rootOf(whole), 'view'));
  return problemIn(whole, 'invalid_arguments') ?? tooLarge(value);
}

/** Comes last: what has the right shape is not nested so deep that it could not be written. */
function tooLarge(value: unknown): Problem | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > limits.view.bytes ? { error: 'view_too_large', messages: [] } : undefined;
}
