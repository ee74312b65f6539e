import { requestClose } from '../client/close.ts';
import { goTo, openDestination, writableChannel } from '../client/destinations.ts';
import { answerConfirmation } from '../client/elements.ts';
import { textOf } from '../client/markup.ts';
import { NotOnScreen } from '../client/not-on-screen.ts';
import { deleteFile, postAsUser, uploadFile } from '../client/post.ts';
import { runShortcut, shortcutsFor } from '../client/shortcuts.ts';
import { submit } from '../client/submit.ts';
import { typeInto } from '../client/typing.ts';
import { inMemory } from '../state/files.ts';
import type { ElementRef, Team, User } from '../state/model.ts';
import { clearModals, topModal } from '../state/views.ts';
import { clientOf, type World } from '../state/world.ts';
import { installByBrowser } from './browser.ts';
import { click, clickable } from './clicks.ts';
import { download } from './download.ts';
import { containsText, findControl, matchOne, withScreen } from './find.ts';
import { attach, fill } from './form.ts';
import { findFile, findMessage, readableMessages } from './messages.ts';
import type { Person } from './person.ts';
import { pick, unpick } from './pick.ts';
import { drawScreen } from './screen/draw.ts';
import { screenText } from './screen/screen.ts';
import { waitFor } from './wait.ts';

export function createPerson(world: World, team: Team, user: User): Person {
  const client = clientOf(team, user.id);
  const readScreen = () => drawScreen(world, team, user);
  const waitUntil = <T>(attempt: () => T): Promise<T> => waitFor(world, attempt);

  function requireThat(condition: boolean, message: string): void {
    if (!condition) throw new NotOnScreen(message);
  }

  /** Performs an action as this person; bots need `allowsBot`. If it fails, the error shows the person's screen. */
  async function act<T>(work: () => Promise<T>, { allowsBot = false } = {}): Promise<T> {
    try {
      if (user.deactivated) throw new Error(`the account of ${user.name} is deactivated`);
      if (user.botId !== undefined && !allowsBot) throw new Error(`${user.name} is a bot`);
      return await work();
    } catch (error) {
      throw new Error(withScreen(error instanceof Error ? error.message : String(error), readScreen()), {
        cause: error,
      });
    }
  }

  /** Waits until no form is open: a form covers everything else. */
  const waitForNoForm = () => waitUntil(() => requireThat(client.modals.length === 0, 'A form is open'));

  const waitForText = (text: string | RegExp, isExpected: boolean) =>
    act(
      () =>
        waitUntil(() =>
          requireThat(
            containsText(readScreen(), text) === isExpected,
            `${user.name} ${isExpected ? 'does not see' : 'still sees'} "${text}"`,
          ),
        ),
      { allowsBot: true },
    );

  /** Performs an action on a field, once it appears. */
  const withField = (label: string, near: string | undefined, work: (ref: ElementRef) => Promise<void>) =>
    act(async () => {
      const { ref } = await waitUntil(() => findControl(readScreen(), ['field'], label, near));
      if (!ref) throw new Error(`"${label}" is not a field`);
      await work(ref);
    });

  const answer = (label: string | undefined, yes: boolean) =>
    act(async () => {
      await waitUntil(() => requireThat(client.confirmation !== undefined, 'No confirmation is open'));
      const shownLabel = yes ? client.confirmation?.confirm : client.confirmation?.deny;
      requireThat(label === undefined || label === shownLabel, `There is no button "${label}"`);
      await answerConfirmation(world, team, user, yes);
    });

  async function ownFile(name: string) {
    const file = await waitUntil(() => findFile(team, user, name));
    if (file.userId !== user.id) throw new Error(`${file.name} is not ${user.name}'s`);
    return file;
  }

  /** The conversation to write in, and the message to reply to. */
  async function writingLocation(destination: string | undefined, thread: string | undefined) {
    await waitForNoForm();
    if (destination !== undefined) await waitUntil(() => goTo(world, team, user, destination));
    const parent = thread === undefined ? undefined : (await waitUntil(() => findMessage(team, user, thread))).message;
    return { channel: writableChannel(world, team, user), parent };
  }

  return {
    id: user.id,
    name: user.name,
    client,
    opens: (destination) =>
      act(
        async () => {
          await waitForNoForm();
          await waitUntil(() => openDestination(world, team, user, destination));
        },
        { allowsBot: true },
      ),
    types: (text, { in: destination, thread } = {}) =>
      act(
        async () => {
          const { channel, parent } = await writingLocation(destination, thread);
          await typeInto(world, team, user, channel, text, parent);
        },
        { allowsBot: true },
      ),
    shares: (uploads, { in: destination, text = '', thread } = {}) =>
      act(
        async () => {
          const { channel, parent } = await writingLocation(destination, thread);
          const files = uploads.map((upload) => uploadFile(world, team, user, upload));
          const threadTs = parent?.threadTs ?? parent?.ts;
          postAsUser(world, team, user, channel, { text, files, ...(threadTs !== undefined && { threadTs }) });
        },
        { allowsBot: true },
      ),
    forwards: (texts, { to, text = '', files = [] }) =>
      act(async () => {
        await waitForNoForm();
        const found = await Promise.all(texts.map((one) => waitUntil(() => findMessage(team, user, one))));
        await waitUntil(() => goTo(world, team, user, to));
        postAsUser(world, team, user, writableChannel(world, team, user), {
          text,
          files: files.map((upload) => uploadFile(world, team, user, upload)),
          forwarded: found.map(({ message }) => message),
        });
      }),
    sees: (text) => waitForText(text, true),
    doesNotSee: (text) => waitForText(text, false),
    screen: () => screenText(readScreen()),
    readScreen,
    clicks: (label, { near } = {}) =>
      act(async () =>
        click(world, team, user, await waitUntil(() => findControl(readScreen(), clickable, label, near))),
      ),
    confirms: (label) => answer(label, true),
    declines: (label) => answer(label, false),
    fills: (label, text, { near } = {}) => withField(label, near, (ref) => fill(world, team, user, ref, text)),
    picks: (label, text, { near } = {}) => withField(label, near, (ref) => pick(world, team, user, ref, text)),
    unpicks: (label, text, { near } = {}) => withField(label, near, (ref) => unpick(world, team, user, ref, text)),
    attaches: (label, files, { near } = {}) => withField(label, near, (ref) => attach(world, team, user, ref, files)),
    submits: (label) =>
      act(async () => {
        await waitUntil(() => {
          const shownLabel = textOf(team, topModal(team, user.id)?.body.submit);
          requireThat(shownLabel !== '' && client.confirmation === undefined, 'There is nothing to submit');
          requireThat(label === undefined || label === shownLabel, `There is no button "${label}"`);
        });
        await submit(world, team, user);
      }),
    closes: () =>
      act(async () => {
        await waitUntil(() => requireThat(client.modals.length > 0, 'No form is open'));
        await requestClose(world, team, user, 'all');
        if (client.confirmation !== undefined) await answerConfirmation(world, team, user, true);
      }),
    usesShortcut: (name, on) =>
      act(async () => {
        await waitForNoForm();
        const shortcuts = shortcutsFor(world, team, user, on ? 'message' : 'global');
        const shortcut = matchOne(shortcuts, (candidate) => candidate.name, name);
        await runShortcut(world, team, user, shortcut, on && (await waitUntil(() => findMessage(team, user, on.on))));
      }),
    downloads: (name) => act(async () => download(await waitUntil(() => findFile(team, user, name)))),
    deletesFile: (name) =>
      act(async () => {
        deleteFile(world, team, await ownFile(name));
      }),
    renamesFile: (name, title) =>
      act(async () => {
        const file = await ownFile(name);
        Object.assign(file, { title, updated: (file.updated ?? file.created) + 1 });
      }),
    editsSnippet: (name, text) =>
      act(async () => {
        const file = await ownFile(name);
        if (file.mode !== 'snippet') throw new Error(`${file.name} is not a snippet`);
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
      return readableMessages(team, user);
    },
    get opened() {
      return client.opened;
    },
  };
}
