import { feedbackButtons, iconButton } from '../elements/buttons.ts';
import { limits } from '../limits.ts';
import { richText } from '../rich-text.ts';
import { list, object, type, typed, unique } from '../shapes.ts';
import { webAddress } from '../urls.ts';
import { id, oneOf, text } from '../values.ts';
import { identified } from './identified.ts';

export const contextActions = object(
  {
    required: {
      type,
      elements: list(typed({ feedback_buttons: feedbackButtons, icon_button: iconButton }), {
        max: limits.contextActions.elements,
      }),
    },
    optional: { block_id: id },
  },
  unique('elements', 'action_id'),
);

const words = text(limits.text);
const rich = typed({ rich_text: richText });
const source = typed({ url: object({ required: { type, url: webAddress, text: words } }) });

export const taskCard = object({
  required: { type, task_id: id, title: words, status: oneOf('pending', 'in_progress', 'complete', 'error') },
  optional: { block_id: id, details: rich, output: rich, sources: list(source) },
});

export const plan = object(
  {
    required: { type, title: words },
    optional: { block_id: id, tasks: list(identified(typed({ task_card: taskCard }))) },
  },
  unique('tasks', 'task_id'),
);
