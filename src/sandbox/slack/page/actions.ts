import { requestClose } from '../client/close.ts';
import { currentChannel, openDestination, writableChannel } from '../client/destinations.ts';
import { answerConfirmation, enterValue, press } from '../client/elements.ts';
import { textOf } from '../client/markup.ts';
import { availableOptions } from '../client/options.ts';
import { postAsUser } from '../client/post.ts';
import { runShortcut, shortcutsFor } from '../client/shortcuts.ts';
import { submit } from '../client/submit.ts';
import { canRead, resolveElement } from '../client/surface.ts';
import { typeInto } from '../client/typing.ts';
import { joinChannel } from '../state/channels.ts';
import type { ElementRef, FileRecord, Json, Message, Team, User } from '../state/model.ts';
import { currentValue } from '../state/values.ts';
import { topModal } from '../state/views.ts';
import { clientOf, type World } from '../state/world.ts';
import { keyOf } from './client/choice.ts';
import type { Choice } from './client/state.ts';
import { asChoice } from './field-values.ts';
import type { OutsideWorld } from './outside.ts';

export interface Actor {
  world: World;
  outside: OutsideWorld | undefined;
  team: Team;
  user: User;
}

type PageAction = (actor: Actor, args: Json) => unknown;

/**
 * What a person can do on the page. Tests find elements by their text, the page uses the refs it was sent; the
 * rules are the same.
 */
export const pageActions: Readonly<Record<string, PageAction>> = {
  open: ({ world, team, user }, { destination }) => openDestination(world, team, user, String(destination)),
  say: ({ world, team, user }, { text, files, thread }) => postMessage(world, team, user, String(text), files, thread),
  press: ({ world, team, user }, { ref, option }) =>
    press(world, team, user, ref as ElementRef, option as Json | undefined),
  choose: ({ world, team, user }, { ref, value }) => enterValue(world, team, user, ref as ElementRef, value),
  change: ({ world, team, user }, { ref, added, removed }) =>
    enterValue(world, team, user, ref as ElementRef, changedList(team, user, ref as ElementRef, { added, removed })),
  options: ({ world, team, user }, { ref, words }) => findChoices(world, team, user, ref as ElementRef, String(words)),
  submit: ({ world, team, user }) => submitForm(world, team, user),
  back: ({ world, team, user }) => requestClose(world, team, user, 'top'),
  close: ({ world, team, user }) => requestClose(world, team, user, 'all'),
  fill: ({ outside, team, user }) => outside?.fill(textOf(team, topModal(team, user.id)?.body.title), user.id),
  answer: ({ world, team, user }, { yes }) => answerConfirmation(world, team, user, yes === true),
  shortcut: ({ world, team, user }, { name, ts }) => useShortcut(world, team, user, String(name), ts),
  join: ({ team, user }) => joinChannel(currentChannel(team, user), user),
  dismiss: ({ team, user }) => {
    clientOf(team, user.id).notices = [];
  },
};

async function postMessage(world: World, team: Team, user: User, text: string, files: unknown, thread: unknown) {
  const channel = writableChannel(world, team, user);
  const parent = thread === undefined ? undefined : messageAt(team, user, String(thread));
  const attached = (Array.isArray(files) ? files : []).map((id) => ownFile(team, user, String(id)));
  if (attached.length === 0) return typeInto(world, team, user, channel, text, parent);
  const threadTs = parent?.threadTs ?? parent?.ts;
  postAsUser(world, team, user, channel, { text, files: attached, ...(threadTs !== undefined && { threadTs }) });
}

function messageAt(team: Team, user: User, ts: string): Message {
  const channel = currentChannel(team, user);
  const message = channel.messages.find((candidate) => candidate.ts === ts && canRead(channel, candidate, user));
  if (!message || message.ephemeralTo !== undefined) throw new Error('message not found');
  return message;
}

function ownFile(team: Team, user: User, id: string): FileRecord {
  const file = team.files.get(id);
  if (file?.userId !== user.id) throw new Error('file not found');
  return file;
}

/** The list of a field with these values added and removed. The page's own copy of the list can be older. */
function changedList(team: Team, user: User, ref: ElementRef, { added, removed }: Json): unknown[] {
  const { surface, block, element } = resolveElement(team, user, ref);
  const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
  const changed = [...listOf(added), ...listOf(removed)].map((value) => keyOf({ value }));
  const others = listOf(currentValue(surface.values, block.block_id, element)).filter(
    (value) => !changed.includes(keyOf({ value })),
  );
  return [...others, ...listOf(added)];
}

/** The options for the typed text. The bot filters external selects itself; other lists are filtered here. */
async function findChoices(world: World, team: Team, user: User, ref: ElementRef, query: string): Promise<Choice[]> {
  const { element } = resolveElement(team, user, ref);
  const options = await availableOptions(world, team, user, ref, query);
  const choices = options.map((option) => asChoice(team, user, option));
  if (element.type === 'multi_external_select') return choices;
  return choices.filter(({ label }) => label.toLowerCase().includes(query.toLowerCase()));
}

/** If Slack's own client refuses the form, the errors are already below the fields. */
async function submitForm(world: World, team: Team, user: User): Promise<void> {
  try {
    await submit(world, team, user);
  } catch (error) {
    if (Object.keys(topModal(team, user.id)?.errors ?? {}).length === 0) throw error;
  }
}

async function useShortcut(world: World, team: Team, user: User, name: string, ts: unknown): Promise<void> {
  const shortcut = shortcutsFor(world, team, user, ts === undefined ? 'global' : 'message').find(
    (candidate) => candidate.name === name,
  );
  if (!shortcut) throw new Error(`unknown shortcut "${name}"`);
  const on =
    ts === undefined ? undefined : { channel: currentChannel(team, user), message: messageAt(team, user, String(ts)) };
  await runShortcut(world, team, user, shortcut, on);
}
