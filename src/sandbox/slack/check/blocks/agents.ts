import { feedbackButtons, iconButton } from '../elements/buttons.ts';
import { limits } from '../limits.ts';
import { richText } from '../rich-text.ts';
import { byType, list, unique, variant } from '../shapes.ts';
import { webUrl } from '../urls.ts';
import { id, oneOf, unlimitedText } from '../values.ts';
import { block } from './block.ts';

export const contextActions = block(
  {
    required: {
      elements: list(byType({ feedback_buttons: feedbackButtons, icon_button: iconButton }), {
        max: limits.contextActions.elements,
      }),
    },
  },
  unique('elements', 'action_id'),
);

const source = byType({ url: variant({ required: { url: webUrl, text: unlimitedText } }) });

export const taskCard = block({
  required: { task_id: id, title: unlimitedText, status: oneOf('pending', 'in_progress', 'complete', 'error') },
  optional: { details: richText, output: richText, sources: list(source) },
});

export const plan = block(
  {
    required: { title: unlimitedText },
    optional: { tasks: list(byType({ task_card: taskCard })) },
  },
  unique('tasks', 'task_id'),
);
