import { confirm, style } from '../confirm.ts';
import { limits } from '../limits.ts';
import { list, object, variant } from '../shapes.ts';
import { plainText } from '../text-objects.ts';
import { link } from '../urls.ts';
import { id, oneOf, text, userId } from '../values.ts';

const label = plainText(limits.button.text);
const value = text(limits.button.value);
const accessibility_label = text(limits.button.accessibilityLabel);

export const button = variant({
  required: { text: label },
  optional: { action_id: id, url: link, value, style, confirm, accessibility_label },
});

export const iconButton = variant({
  // The trash can is the only icon that Slack documents.
  required: { icon: oneOf('trash'), text: label },
  optional: { action_id: id, value, confirm, accessibility_label, visible_to_user_ids: list(userId) },
});

const feedbackButton = object({ required: { text: label, value }, optional: { accessibility_label } });

export const feedbackButtons = variant({
  required: { positive_button: feedbackButton, negative_button: feedbackButton },
  optional: { action_id: id },
});
