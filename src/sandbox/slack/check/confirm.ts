import { limits } from './limits.ts';
import { object } from './shapes.ts';
import { anyText, plainText } from './text-objects.ts';
import { oneOf } from './values.ts';

export const style = oneOf('primary', 'danger');

/**
 * A confirmation dialog. Slack's types make three of its texts optional; its documentation requires all of them.
 */
export const confirm = object({
  required: {
    title: plainText(limits.confirm.title),
    text: anyText(limits.confirm.text),
    confirm: plainText(limits.confirm.confirm),
    deny: plainText(limits.confirm.deny),
  },
  optional: { style },
});
