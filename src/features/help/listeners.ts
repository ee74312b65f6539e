import { bounds } from '../../lib/bounds.ts';
import { createCache } from '../../lib/cache.ts';
import { type Blocks, section } from '../../slack/blocks.ts';
import { didYouMean } from '../../slack/command-text.ts';
import { commandNameOf, runCommand, unknownText } from '../../slack/dispatcher.ts';
import { type Interaction, openWhenReady } from '../../slack/interaction.ts';
import { filesOfMessage, forwardedFiles } from '../../slack/message-files.ts';
import { contentOf, post } from '../../slack/messages.ts';
import { joinRoutes, type Routes, type SlackEvent } from '../../slack/routes.ts';
import { modal } from '../../slack/views.ts';
import type { ListenerServices } from '../common/slack-services.ts';
import { stageForwarded } from '../files/listeners.ts';
import { readHelpAccess } from './operations.ts';
import { helpBlocks, usable } from './views.ts';

const hourMs = 3_600_000;
const hint = 'Type help, or send me a file.';

/** Help is generated from the commands of all features. */
export function helpRoutes(services: ListenerServices, features: readonly Routes[]): Routes {
  const routes = joinRoutes(features);
  const lines = Object.entries(routes.commands).map(([command, { usage = '', summary }]) => ({
    command,
    usage,
    summary,
  }));

  // At most one hint an hour per person, because a script could write to the bot.
  const recentHints = createCache<unknown>({ ttlMs: hourMs, maxEntries: bounds.recentlyAnswered });

  // The same help is sent at most every 10 seconds per person, to stop loops.
  const recentHelp = createCache<unknown>({ ttlMs: 10_000, maxEntries: bounds.recentlyAnswered });

  async function helpFor({ actor }: Interaction, requestedTopic?: string): Promise<{ text: string; blocks: Blocks }> {
    const access = await readHelpAccess(services, actor);
    const topic = requestedTopic === undefined ? undefined : commandNameOf(routes.commands, requestedTopic);
    const names = lines.map(({ command }) => command);
    const isKnown = topic === undefined || names.includes(topic);
    const shownTopic = isKnown ? topic : didYouMean(topic, names);
    const usableNames = usable(lines, access).map(({ command }) => `/drop ${command}`);
    const text = usableNames.length === 0 ? 'Help' : `Commands: ${usableNames.join(', ')}`;
    const blocks = helpBlocks(lines, access, shownTopic);
    return { text, blocks: isKnown ? blocks : [section(unknownText(topic)), ...blocks] };
  }

  async function help(interaction: Interaction, topic?: string): Promise<void> {
    // Without a channel, the person is on Home or in a modal, and would miss a message.
    if (interaction.channel === undefined)
      return openWhenReady(interaction, 'Help', async () => modal('Help', (await helpFor(interaction, topic)).blocks));
    const { text, blocks } = await helpFor(interaction, topic);
    await interaction.reply(text, blocks);
  }

  /** Answers a message to the bot, in the message's thread if it has one. */
  async function answerText(
    interaction: Interaction,
    { text: message, channel, thread_ts: thread }: SlackEvent,
  ): Promise<void> {
    const { workspace, person } = interaction.actor;
    const answer = (text: string, blocks?: Blocks) =>
      typeof channel === 'string' && typeof thread === 'string'
        ? post(interaction.client, channel, contentOf(text, blocks), { thread_ts: thread })
        : interaction.write(text, blocks);
    const [first, second = ''] = String(message).slice(0, 100).toLowerCase().match(/\w+/g) ?? [];
    if (first !== 'help') return void (await recentHints.get(`${workspace} ${person}`, () => answer(hint)));
    const command = commandNameOf(routes.commands, second);
    const topic = command in routes.commands ? command : undefined;
    await recentHelp.get(`${workspace} ${person} ${topic}`, async () => {
      const { text, blocks } = await helpFor(interaction, topic);
      return answer(text, blocks);
    });
  }

  return {
    commands: {
      help: { usage: '[topic]', summary: 'Show this help', run: (interaction, [topic]) => help(interaction, topic) },
    },
    actions: {
      'help.run': (interaction, { value }) => runCommand(routes, interaction, value),
      'help.show': (interaction) => help(interaction),
    },
    events: {
      // Answers text messages to the bot, and stages the files that they forward. Other files have a separate event.
      message: async (interaction, event) => {
        const { channel_type: kind, subtype, text, bot_id: bot } = event;
        if (kind !== 'im' || bot !== undefined || (subtype !== undefined && subtype !== 'file_share')) return;
        if (forwardedFiles(event).length > 0) return stageForwarded(services, interaction, event);
        if (typeof text === 'string' && filesOfMessage(event).length === 0) await answerText(interaction, event);
      },
    },
  };
}
