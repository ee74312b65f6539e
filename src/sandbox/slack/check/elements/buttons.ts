import { confirm, style } from '../confirm.ts';
import { limits } from '../limits.ts';
import { variant } from '../shapes.ts';
import { plainText } from '../text-objects.ts';
import { link } from '../urls.ts';
import { id, text } from '../values.ts';

export const button = variant({
  required: { text: plainText(limits.button.text) },
  optional: {
    action_id: id,
    url: link,
    value: text(limits.button.value),
    style,
    confirm,
    accessibility_label: text(limits.button.accessibilityLabel),
  },
});
