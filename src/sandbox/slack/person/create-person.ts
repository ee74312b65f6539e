import { bring, say } from '../client/compose.ts';
import { answerConfirmation } from '../client/elements.ts';
import { leave } from '../client/leave.ts';
import { runShortcut, shortcutsFor } from '../client/shortcuts.ts';
import { submit } from '../client/submit.ts';
import { inMemory } from '../files/store.ts';
import type { ElementRef, Team, User } from '../model.ts';
import { drawScreen } from '../screen/draw.ts';
import { screenText } from '../screen/screen.ts';
import { textOf } from '../screen/words.ts';
import { clearModals, topModal } from '../views.ts';
import { clientOf, type World } from '../world.ts';
import { installByBrowser } from './browser.ts';
import { click, clickable } from './clicks.ts';
import { goTo, openDestination, writableChannel } from './destinations.ts';
import { download } from './download.ts';
import { findControl, matchOne, NotThere, onScreen, shows } from './find.ts';
import { attach, fill } from './form.ts';
import type { Person } from './person.ts';
import { pick, unpick } from './pick.ts';
import { fileNamed, messageWith, readAll } from './reading.ts';
import { typeInto } from './typing.ts';
import { waitFor } from './wait.ts';

export function createPerson(world: World, team: Team, user: User): Person {
  const client = clientOf(team, user.id);
  const look = () => drawScreen(world, team, user);
  const until = <T>(see: () => T): Promise<T> => waitFor(world, see);

  function must(condition: boolean, words: string): void {
    if (!condition) throw new NotThere(words);
  }

  /** Performs an action as this person; if it fails, the error shows their screen. */
  async function act<T>(work: () => Promise<T>, { asBot = false } = {}): Promise<T> {
    try {
      if (user.deactivated) throw new Error(`${user.name} has no account any more`);
      if (user.botId !== undefined && !asBot) throw new Error(`${user.name} is a bot`);
      return await work();
    } catch (error) {
      throw new Error(onScreen(error instanceof Error ? error.message : String(error), look()), { cause: error });
    }
  }

  /** An open form covers everything else. */
  const uncovered = () => until(() => must(client.modals.length === 0, 'A form is open'));

  const see = (words: string | RegExp, wanted: boolean) =>
    act(
      () =>
        until(() =>
          must(shows(look(), words) === wanted, `${user.name} ${wanted ? 'does not see' : 'still sees'} "${words}"`),
        ),
      { asBot: true },
    );

  /** Performs an action on a field, once it appears. */
  const withField = (label: string, near: string | undefined, work: (ref: ElementRef) => Promise<void>) =>
    act(async () => {
      const { ref } = await until(() => findControl(look(), ['field'], label, near));
      if (!ref) throw new Error(`"${label}" is no field`);
      await work(ref);
    });

  const answer = (label: string | undefined, yes: boolean) =>
    act(async () => {
      await until(() => must(client.confirmation !== undefined, 'Nothing is being asked'));
      const shown = yes ? client.confirmation?.confirm : client.confirmation?.deny;
      must(label === undefined || label === shown, `There is no button "${label}"`);
      await answerConfirmation(world, team, user, yes);
    });

  async function ownFile(name: string) {
    const file = await until(() => fileNamed(team, user, name));
    if (file.userId !== user.id) throw new Error(`${file.name} is not ${user.name}'s`);
    return file;
  }

  /** The conversation to write in, and the message to reply to. */
  async function location(destination: string | undefined, thread: string | undefined) {
    await uncovered();
    if (destination !== undefined) await until(() => goTo(world, team, user, destination));
    const parent = thread === undefined ? undefined : (await until(() => messageWith(team, user, thread))).message;
    return { channel: writableChannel(world, team, user), parent };
  }

  return {
    id: user.id,
    name: user.name,
    client,
    opens: (destination) =>
      act(
        async () => {
          await uncovered();
          await until(() => openDestination(world, team, user, destination));
        },
        { asBot: true },
      ),
    types: (text, { in: destination, thread } = {}) =>
      act(
        async () => {
          const { channel, parent } = await location(destination, thread);
          await typeInto(world, team, user, channel, text, parent);
        },
        { asBot: true },
      ),
    shares: (uploads, { in: destination, text = '', thread } = {}) =>
      act(
        async () => {
          const { channel, parent } = await location(destination, thread);
          const files = uploads.map((upload) => bring(world, team, user, upload));
          const threadTs = parent?.threadTs ?? parent?.ts;
          say(world, team, user, channel, { text, files, ...(threadTs !== undefined && { threadTs }) });
        },
        { asBot: true },
      ),
    sees: (words) => see(words, true),
    doesNotSee: (words) => see(words, false),
    screen: () => screenText(look()),
    look,
    clicks: (label, { near } = {}) =>
      act(async () => click(world, team, user, await until(() => findControl(look(), clickable, label, near)))),
    confirms: (label) => answer(label, true),
    declines: (label) => answer(label, false),
    fills: (label, text, { near } = {}) => withField(label, near, (ref) => fill(world, team, user, ref, text)),
    picks: (label, words, { near } = {}) => withField(label, near, (ref) => pick(world, team, user, ref, words)),
    unpicks: (label, words, { near } = {}) => withField(label, near, (ref) => unpick(world, team, user, ref, words)),
    attaches: (label, files, { near } = {}) => withField(label, near, (ref) => attach(world, team, user, ref, files)),
    submits: (label) =>
      act(async () => {
        await until(() => {
          const shown = textOf(team, topModal(team, user.id)?.body.submit);
          must(shown !== '' && client.confirmation === undefined, 'There is nothing to submit');
          must(label === undefined || label === shown, `There is no button "${label}"`);
        });
        await submit(world, team, user);
      }),
    closes: () =>
      act(async () => {
        await until(() => must(client.modals.length > 0, 'No form is open'));
        await leave(world, team, user, 'all');
        if (client.confirmation !== undefined) await answerConfirmation(world, team, user, true);
      }),
    usesShortcut: (name, on) =>
      act(async () => {
        await uncovered();
        const offered = shortcutsFor(world, team, user, on ? 'message' : 'global');
        const shortcut = matchOne(offered, (one) => one.name, name);
        await runShortcut(world, team, user, shortcut, on && (await until(() => messageWith(team, user, on.on))));
      }),
    downloads: (name) => act(async () => download(await until(() => fileNamed(team, user, name)))),
    deletesFile: (name) =>
      act(async () => {
        (await ownFile(name)).deleted = true;
      }),
    editsSnippet: (name, text) =>
      act(async () => {
        const file = await ownFile(name);
        if (file.mode !== 'snippet') throw new Error(`${file.name} is no snippet`);
        const data = inMemory(text);
        Object.assign(file, { data, size: data.size, edited: Math.floor(world.clock() / 1000) });
      }),
    reloads: () =>
      act(async () => {
        clearModals(team, user.id);
        Object.assign(client, { confirmation: undefined, notices: [], messageValues: {} });
        for (const channel of team.channels.values()) {
          channel.messages = channel.messages.filter(({ ephemeralTo }) => ephemeralTo !== user.id);
        }
      }),
    installs: (url, consent = {}) => act(() => installByBrowser(world, user, url, consent)),
    get messages() {
      return readAll(team, user);
    },
    get opened() {
      return client.opened;
    },
  };
}
