import { bounds } from '../../bounds.ts';
import { keepAnswers } from '../../kept.ts';
import { didYouMean } from '../../slack/command-text.ts';
import { runCommand } from '../../slack/dispatcher.ts';
import { joinRoutes, type Routes } from '../../slack/routes.ts';
import { modal } from '../../slack/views.ts';
import type { Visit } from '../../slack/visit.ts';
import { helpBlocks } from './views.ts';

const hourMs = 3_600_000;

/** Help is made from the table of commands itself. */
export function helpRoutes(features: readonly Routes[]): Routes {
  const all = joinRoutes(features);
  const lines = Object.entries(all.commands).map(([command, { usage = '', summary }]) => ({ command, usage, summary }));

  // Somebody may let a script write to the bot: one answer an hour is enough.
  const answers = keepAnswers<unknown>({ lifeMs: hourMs, most: bounds.answeredWriters });

  async function help(visit: Visit, topic?: string): Promise<void> {
    const names = lines.map(({ command }) => command);
    const known = topic === undefined || names.includes(topic);
    const meant = known ? topic : didYouMean(topic, names);
    const missing = known ? '' : `There is no /drop ${topic}. `;
    const text = `${missing}What you can type: ${names.map((name) => `/drop ${name}`).join(', ')}`;
    // From Home, a message would come where nobody looks.
    if (visit.channel === undefined) await visit.open(modal('Help', helpBlocks(lines, meant)));
    else await visit.tell(text, helpBlocks(lines, meant));
  }

  return {
    commands: {
      help: { usage: '[topic]', summary: 'shows this', run: (visit, [topic]) => help(visit, topic) },
    },
    actions: {
      'help.run': (visit, { value }) => runCommand(all, visit, value),
      'help.show': (visit) => help(visit),
    },
    events: {
      // A text to the bot; files come with an event of their own.
      message: async (visit, event) => {
        const isText = event.channel_type === 'im' && event.subtype === undefined && typeof event.text === 'string';
        const hasFiles = Array.isArray(event.files) && event.files.length > 0;
        if (!isText || hasFiles || event.bot_id !== undefined) return;
        const { workspace, person } = visit.actor;
        await answers.get(`${workspace} ${person}`, () =>
          visit.write(
            'I do not read messages, but I take files: share them with me here, or type /drop help to see what I can do.',
          ),
        );
      },
    },
  };
}
