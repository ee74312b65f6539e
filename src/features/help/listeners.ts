import { bounds } from '../../bounds.ts';
import { createCache } from '../../cache.ts';
import type { Blocks } from '../../slack/blocks.ts';
import { didYouMean } from '../../slack/command-text.ts';
import { commandNamed, runCommand } from '../../slack/dispatcher.ts';
import type { Interaction } from '../../slack/interaction.ts';
import { contentOf, post } from '../../slack/messages.ts';
import { joinRoutes, type Routes, type SlackEvent } from '../../slack/routes.ts';
import { modal } from '../../slack/views.ts';
import { helpBlocks } from './views.ts';

const hourMs = 3_600_000;
const hint = 'Type help, or send me a file.';

/** Help is generated from the table of commands. */
export function helpRoutes(features: readonly Routes[]): Routes {
  const all = joinRoutes(features);
  const lines = Object.entries(all.commands).map(([command, { usage = '', summary }]) => ({ command, usage, summary }));

  // One hint an hour per person: a script could write to the bot.
  const answers = createCache<unknown>({ lifeMs: hourMs, most: bounds.answeredWriters });

  // Help is sent on every request, but at most every 10 seconds, to stop a loop.
  const helped = createCache<unknown>({ lifeMs: 10_000, most: bounds.answeredWriters });

  function helpOn(asked?: string): { text: string; blocks: Blocks } {
    const topic = asked === undefined ? undefined : commandNamed(all.commands, asked);
    const names = lines.map(({ command }) => command);
    const known = topic === undefined || names.includes(topic);
    const meant = known ? topic : didYouMean(topic, names);
    const missing = known ? '' : `There is no /drop ${topic}. `;
    const text = `${missing}What you can type: ${names.map((name) => `/drop ${name}`).join(', ')}`;
    return { text, blocks: helpBlocks(lines, meant) };
  }

  async function help(interaction: Interaction, topic?: string): Promise<void> {
    const { text, blocks } = helpOn(topic);
    // On Home there is no channel, and people would miss a message.
    if (interaction.channel === undefined) await interaction.open(modal('Help', blocks));
    else await interaction.reply(text, blocks);
  }

  /** Answers a message to the bot where it was written: in its thread, if it has one. */
  async function answerText(
    interaction: Interaction,
    { text: said, channel, thread_ts: thread }: SlackEvent,
  ): Promise<void> {
    const { workspace, person } = interaction.actor;
    const answer = (text: string, blocks?: Blocks) =>
      typeof channel === 'string' && typeof thread === 'string'
        ? post(interaction.client, channel, contentOf(text, blocks), { thread_ts: thread })
        : interaction.write(text, blocks);
    const [first, second = ''] = String(said).slice(0, 100).toLowerCase().match(/\w+/g) ?? [];
    if (first !== 'help') return void (await answers.get(`${workspace} ${person}`, () => answer(hint)));
    const named = commandNamed(all.commands, second);
    const topic = named in all.commands ? named : undefined;
    const { text, blocks } = helpOn(topic);
    await helped.get(`${workspace} ${person} ${topic}`, () => answer(text, blocks));
  }

  return {
    commands: {
      help: { usage: '[topic]', summary: 'shows this', run: (interaction, [topic]) => help(interaction, topic) },
    },
    actions: {
      'help.run': (interaction, { value }) => runCommand(all, interaction, value),
      'help.show': (interaction) => help(interaction),
    },
    events: {
      // A text message to the bot. Files come with a separate event.
      message: async (interaction, event) => {
        const isText = event.channel_type === 'im' && event.subtype === undefined && typeof event.text === 'string';
        const hasFiles = Array.isArray(event.files) && event.files.length > 0;
        if (!isText || hasFiles || event.bot_id !== undefined) return;
        await answerText(interaction, event);
      },
    },
  };
}
