import { feedbackButtons, iconButton } from '../elements/buttons.ts';
import { limits } from '../limits.ts';
import { richText } from '../rich-text.ts';
import { kind, list, typed, unique } from '../shapes.ts';
import { webAddress } from '../urls.ts';
import { id, oneOf, words } from '../values.ts';
import { block } from './block.ts';

export const contextActions = block(
  {
    required: {
      elements: list(typed({ feedback_buttons: feedbackButtons, icon_button: iconButton }), {
        max: limits.contextActions.elements,
      }),
    },
  },
  unique('elements', 'action_id'),
);

const source = typed({ url: kind({ required: { url: webAddress, text: words } }) });

export const taskCard = block({
  required: { task_id: id, title: words, status: oneOf('pending', 'in_progress', 'complete', 'error') },
  optional: { details: richText, output: richText, sources: list(source) },
});

export const plan = block(
  {
    required: { title: words },
    optional: { tasks: list(typed({ task_card: taskCard })) },
  },
  unique('tasks', 'task_id'),
);
