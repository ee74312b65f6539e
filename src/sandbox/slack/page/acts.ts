import { joinChannel } from '../channels.ts';
import { say } from '../client/compose.ts';
import { answerConfirmation, choose, press } from '../client/elements.ts';
import { leave } from '../client/leave.ts';
import { runShortcut, shortcutsFor } from '../client/shortcuts.ts';
import { submit } from '../client/submit.ts';
import { canRead, resolve } from '../client/surface.ts';
import type { ElementRef, FileRecord, Json, Message, Team, User } from '../model.ts';
import { currentChannel, openDestination, writableChannel } from '../person/destinations.ts';
import { offered } from '../person/pick.ts';
import { typeInto } from '../person/typing.ts';
import { topModal } from '../views.ts';
import { clientOf, type World } from '../world.ts';
import type { Choice } from './client/state.ts';
import { asChoice } from './held.ts';

export interface Actor {
  world: World;
  team: Team;
  user: User;
}

type Act = (actor: Actor, args: Json) => unknown;

/**
 * What a person can do on the page. A test's person finds elements by their text, the page by the refs it was sent; the
 * rules are the same.
 */
export const pageActs: Readonly<Record<string, Act>> = {
  open: ({ world, team, user }, { destination }) => openDestination(world, team, user, String(destination)),
  say: ({ world, team, user }, { text, files, thread }) => write(world, team, user, String(text), files, thread),
  press: ({ world, team, user }, { ref, option }) =>
    press(world, team, user, ref as ElementRef, option as Json | undefined),
  choose: ({ world, team, user }, { ref, value }) => choose(world, team, user, ref as ElementRef, value),
  offers: ({ world, team, user }, { ref, words }) => offers(world, team, user, ref as ElementRef, String(words)),
  submit: ({ world, team, user }) => submitted(world, team, user),
  back: ({ world, team, user }) => leave(world, team, user, 'top'),
  close: ({ world, team, user }) => leave(world, team, user, 'all'),
  answer: ({ world, team, user }, { yes }) => answerConfirmation(world, team, user, yes === true),
  shortcut: ({ world, team, user }, { name, ts }) => use(world, team, user, String(name), ts),
  join: ({ world, team, user }) => joinChannel(world, team, currentChannel(team, user), user),
  dismiss: ({ team, user }) => {
    clientOf(team, user.id).notices = [];
  },
};

async function write(world: World, team: Team, user: User, text: string, files: unknown, thread: unknown) {
  const channel = writableChannel(world, team, user);
  const parent = thread === undefined ? undefined : messageAt(team, user, String(thread));
  const brought = (Array.isArray(files) ? files : []).map((id) => ownFile(team, user, String(id)));
  if (brought.length === 0) return typeInto(world, team, user, channel, text, parent);
  const threadTs = parent?.threadTs ?? parent?.ts;
  say(world, team, user, channel, { text, files: brought, ...(threadTs !== undefined && { threadTs }) });
}

function messageAt(team: Team, user: User, ts: string): Message {
  const channel = currentChannel(team, user);
  const message = channel.messages.find((one) => one.ts === ts && canRead(channel, one, user));
  if (!message || message.ephemeralTo !== undefined) throw new Error('that message is not there');
  return message;
}

function ownFile(team: Team, user: User, id: string): FileRecord {
  const file = team.files.get(id);
  if (file?.userId !== user.id) throw new Error('that file is not there');
  return file;
}

/** The options for the typed text. The bot filters external selects itself; other lists are filtered here. */
async function offers(world: World, team: Team, user: User, ref: ElementRef, words: string): Promise<Choice[]> {
  const { element } = resolve(team, user, ref);
  const things = await offered(world, team, user, ref, words);
  const choices = things.map((thing) => asChoice(team, user, thing));
  if (element.type.endsWith('external_select')) return choices;
  return choices.filter(({ label }) => label.toLowerCase().includes(words.toLowerCase()));
}

/** If Slack's own client refuses the form, the errors are already below the fields. */
async function submitted(world: World, team: Team, user: User): Promise<void> {
  try {
    await submit(world, team, user);
  } catch (error) {
    if (Object.keys(topModal(team, user.id)?.errors ?? {}).length === 0) throw error;
  }
}

async function use(world: World, team: Team, user: User, name: string, ts: unknown): Promise<void> {
  const shortcut = shortcutsFor(world, team, user, ts === undefined ? 'global' : 'message').find(
    (one) => one.name === name,
  );
  if (!shortcut) throw new Error(`there is no shortcut "${name}"`);
  const on =
    ts === undefined ? undefined : { channel: currentChannel(team, user), message: messageAt(team, user, String(ts)) };
  await runShortcut(world, team, user, shortcut, on);
}
