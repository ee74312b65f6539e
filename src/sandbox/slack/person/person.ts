import type { Upload } from '../client/compose.ts';
import { bring, say } from '../client/compose.ts';
import { answerConfirmation } from '../client/elements.ts';
import { runShortcut, shortcutsFor } from '../client/shortcuts.ts';
import { closeAll, submit } from '../client/submit.ts';
import { canRead } from '../client/surface.ts';
import type { Channel, Client, ElementRef, FileRecord, Message, Team, User } from '../model.ts';
import { channelTitle, drawMessage, drawScreen } from '../screen/draw.ts';
import { createSheet, type Screen, screenText } from '../screen/screen.ts';
import { textOf } from '../screen/words.ts';
import { clearModals, topModal } from '../views.ts';
import { clientOf, type World } from '../world.ts';
import { type Consent, installByBrowser, type Page } from './browser.ts';
import { click, clickable } from './clicks.ts';
import { type Downloaded, download } from './download.ts';
import { findControl, matchOne, NotThere, onScreen, shows } from './find.ts';
import { attach, fill } from './form.ts';
import { pick, unpick } from './pick.ts';
import { currentChannel, openPlace } from './places.ts';
import { typeInto } from './typing.ts';
import { waitFor } from './wait.ts';

export type { Consent, Downloaded, Page, Upload };

/** Where the act is done, and words that tell one of several like things. */
interface Somewhere {
  /** "#channel", a person's or the app's name. */
  in?: string;
}

interface Near {
  near?: string;
}

/** A message as somebody reads it. */
export interface ReadMessage {
  place: string;
  from: string;
  text: string;
  onlyForMe: boolean;
  ts: string;
}

/**
 * Somebody at their Slack. They act by what they see, wait a while for it to appear, and can do nothing else. Whatever
 * is not there, or is there more than once, is an error that shows the screen.
 */
export interface Person {
  readonly id: string;
  readonly name: string;
  /** The plain data of which the screen is made. */
  readonly client: Client;
  /** Goes to "#channel", to somebody or the app by name, or to "Home of" the app. */
  opens(place: string): Promise<void>;
  /** A command, or something to say; as a reply to the message that has these words. */
  types(text: string, where?: Somewhere & { thread?: string }): Promise<void>;
  shares(files: readonly Upload[], where?: Somewhere & { text?: string; thread?: string }): Promise<void>;
  sees(words: string | RegExp): Promise<void>;
  /** Waits until the words are gone. */
  doesNotSee(words: string | RegExp): Promise<void>;
  screen(): string;
  /** The same as data: lines, and what can be used on each. */
  look(): Screen;
  /** A button, a menu's entry, a box, a link; by its label or by what a screen reader says. */
  clicks(label: string, near?: Near): Promise<void>;
  confirms(label?: string): Promise<void>;
  declines(label?: string): Promise<void>;
  fills(label: string, text: string, near?: Near): Promise<void>;
  picks(label: string, words: string, near?: Near): Promise<void>;
  unpicks(label: string, words: string, near?: Near): Promise<void>;
  attaches(label: string, files: readonly Upload[], near?: Near): Promise<void>;
  submits(label?: string): Promise<void>;
  /** The cross in the corner: all that is stacked goes. The button below the form is clicked by its label. */
  closes(): Promise<void>;
  usesShortcut(name: string, on?: { on: string }): Promise<void>;
  downloads(name: string): Promise<Downloaded>;
  deletesFile(name: string): Promise<void>;
  /** Starts Slack anew: what only this person saw is gone, and so are open forms. */
  reloads(): Promise<void>;
  installs(url: string, consent?: Consent): Promise<Page>;
  /** All that this person can read, oldest first. */
  readonly messages: ReadMessage[];
  /** Addresses that were opened in the browser. */
  readonly opened: string[];
}

export function createPerson(world: World, team: Team, user: User): Person {
  const client = clientOf(team, user.id);
  const look = () => drawScreen(world, team, user);

  function go(place: string | undefined): Channel {
    if (place !== undefined) openPlace(world, team, user, place);
    return currentChannel(team, user);
  }

  function must(condition: boolean, words: string): void {
    if (!condition) throw new NotThere(onScreen(words, look()));
  }

  const see = (words: string | RegExp, wanted: boolean) =>
    waitFor(world, () =>
      must(shows(look(), words) === wanted, `${user.name} ${wanted ? 'does not see' : 'still sees'} "${words}"`),
    );

  /** A field, once it is there. */
  const field = (label: string, near: string | undefined): Promise<ElementRef> =>
    waitFor(world, () => {
      const { ref } = findControl(look(), ['field'], label, near);
      if (!ref) throw new Error(`"${label}" is no field`);
      return ref;
    });

  const answer = async (label: string | undefined, yes: boolean) => {
    await waitFor(world, () => must(client.confirmation !== undefined, 'Nothing is being asked'));
    const shown = yes ? client.confirmation?.confirm : client.confirmation?.deny;
    if (label !== undefined) must(label === shown, `There is no button "${label}"`);
    await answerConfirmation(world, team, user, yes);
  };

  /** The message before this person that has these words. */
  const messageWith = (words: string): Promise<{ channel: Channel; message: Message }> =>
    waitFor(world, () => {
      const channel = currentChannel(team, user);
      const readable = channel.messages.filter((message) => canRead(channel, message, user));
      return { channel, message: matchOne(readable, (message) => wordsOf(channel, message), words) };
    });

  function wordsOf(channel: Channel, message: Message): string {
    const sheet = createSheet();
    drawMessage(sheet, team, user, channel, message, 0);
    return screenText({ lines: sheet.lines });
  }

  const visibleFile = (name: string): Promise<FileRecord> =>
    waitFor(world, () => {
      const channel = currentChannel(team, user);
      const readable = channel.messages.filter((message) => canRead(channel, message, user));
      const files = readable.flatMap(({ fileIds }) => fileIds.flatMap((id) => team.files.get(id) ?? []));
      return matchOne(files.filter(({ deleted }) => !deleted).reverse(), ({ title }) => title, name);
    });

  return {
    id: user.id,
    name: user.name,
    client,
    async opens(place) {
      await waitFor(world, () => openPlace(world, team, user, place));
    },
    async types(text, { in: place, thread } = {}) {
      const channel = go(place);
      const parent = thread === undefined ? undefined : (await messageWith(thread)).message;
      await typeInto(world, team, user, channel, text, parent);
    },
    async shares(uploads, { in: place, text = '', thread } = {}) {
      const channel = go(place);
      const parent = thread === undefined ? undefined : (await messageWith(thread)).message;
      const files = uploads.map((upload) => bring(world, team, user, upload));
      const threadTs = parent?.threadTs ?? parent?.ts;
      say(world, team, user, channel, { text, files, ...(threadTs !== undefined && { threadTs }) });
    },
    sees: (words) => see(words, true),
    doesNotSee: (words) => see(words, false),
    screen: () => screenText(look()),
    look,
    async clicks(label, { near } = {}) {
      await click(world, team, user, await waitFor(world, () => findControl(look(), clickable, label, near)));
    },
    confirms: (label) => answer(label, true),
    declines: (label) => answer(label, false),
    async fills(label, text, { near } = {}) {
      await fill(world, team, user, await field(label, near), text);
    },
    async picks(label, words, { near } = {}) {
      await pick(world, team, user, await field(label, near), words);
    },
    async unpicks(label, words, { near } = {}) {
      await unpick(world, team, user, await field(label, near), words);
    },
    async attaches(label, uploads, { near } = {}) {
      await attach(world, team, user, await field(label, near), uploads);
    },
    async submits(label) {
      await waitFor(world, () => {
        const shown = textOf(team, topModal(team, user.id)?.body.submit);
        must(shown !== '' && client.confirmation === undefined, 'There is nothing to submit');
        must(label === undefined || label === shown, `There is no button "${label}"`);
      });
      await submit(world, team, user).catch((error: Error) => {
        throw new Error(onScreen(`${user.name} cannot submit: ${error.message}`, look()));
      });
    },
    async closes() {
      await waitFor(world, () => must(client.modals.length > 0, 'No form is open'));
      await closeAll(world, team, user);
    },
    async usesShortcut(name, on) {
      const shortcut = matchOne(shortcutsFor(world, team, user, on ? 'message' : 'global'), (one) => one.name, name);
      await runShortcut(world, team, user, shortcut, on && (await messageWith(on.on)));
    },
    async downloads(name) {
      return download(await visibleFile(name));
    },
    async deletesFile(name) {
      const file = await visibleFile(name);
      if (file.userId !== user.id) throw new Error(`${file.name} is not ${user.name}'s to delete`);
      file.deleted = true;
    },
    async reloads() {
      clearModals(team, user.id);
      Object.assign(client, { confirmation: undefined, notices: [], messageValues: {} });
      for (const channel of team.channels.values()) {
        channel.messages = channel.messages.filter(({ ephemeralTo }) => ephemeralTo !== user.id);
      }
    },
    installs: (url, consent = {}) => installByBrowser(world, user, url, consent),
    get messages() {
      const rows = [...team.channels.values()].flatMap((channel) =>
        channel.messages
          .filter((message) => canRead(channel, message, user) && channel.members.has(user.id))
          .map((message) => ({
            place: channelTitle(team, channel, user),
            from: team.users.get(message.userId)?.name ?? message.userId,
            text: wordsOf(channel, message).split('\n').slice(1).join('\n'),
            onlyForMe: message.ephemeralTo !== undefined,
            ts: message.ts,
          })),
      );
      return rows.sort((one, other) => (one.ts < other.ts ? -1 : 1));
    },
    get opened() {
      return client.opened;
    },
  };
}
