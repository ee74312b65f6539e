import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { signIn } from '../../src/sandbox/sign-in.ts';
import type { Channel, Json, Person, Workspace } from '../../src/sandbox/slack/index.ts';
import { command, sees } from './action-context.ts';
import type { Membership, Sighting } from './check-seen.ts';
import type { PlannedWorkspace } from './plan.ts';
import { boardName, channelSenders, membersMaxAgeMs, mover, watchers } from './plan-channels.ts';

/** What happens in the inbox channels of one workspace, and what people see of their files. */
export interface ChannelActivity {
  memberships: Membership[];
  sightings: Sighting[];
  /** Joins and leaves as planned, moves files, and lets people look, until a little after the last change. */
  act(): Promise<void>;
  /**
   * Call when no work is left. Makes some people join and leave, and lets everyone look once more when the bot must know
   * of it. Resolves with what each list showed.
   */
  lookAtEnd(): Promise<FinalList[]>;
  stop(): Promise<void>;
}

/** What a person's list showed at the end. */
export interface FinalList {
  workspace: string;
  person: string;
  files: string[];
  /** The number of items by the text of the list. */
  total: number;
}

const lookEveryMs = 40;
const looksMs = 4_500;
const tries = 4;

export function startChannels(workspace: Workspace, { channels }: PlannedWorkspace, seed: number): ChannelActivity {
  const { inboxes = [], moveAfterMs } = channels ?? {};
  const { name } = workspace;
  const memberships: Membership[] = [];
  const { sightings, read } = createReader(workspace);
  const links: { person: Person; url: string }[] = [];
  const listCommand = `/drop inbox s${seed}-ch`;

  const join = (channel: Channel, person: Person) =>
    memberships.push({
      workspace: name,
      channel: channel.name,
      person: person.name,
      from: Date.now(),
      until: undefined,
    });
  const current = (channel: string, person: Person) =>
    memberships.find((one) => one.channel === channel && one.person === person.name && one.until === undefined);
  const isMember = (channel: string, person: Person) => current(channel, person) !== undefined;
  function change(channel: Channel, person: Person): void {
    const membership = current(channel.name, person);
    if (membership === undefined) {
      channel.add(person);
      join(channel, person);
      return;
    }
    channel.remove(person);
    membership.until = Date.now();
  }
  for (const channel of workspace.channels)
    for (const person of workspace.people)
      if ([...inboxes.map((one) => one.name), boardName].includes(channel.name) && isIn(workspace, channel, person))
        join(channel, person);

  let isStopped = false;
  const reading = (async () => {
    for (; !isStopped; await sleep(lookEveryMs)) read();
  })();

  const changing = () =>
    inboxes.map(async ({ name: channel, changes }) => {
      const started = Date.now();
      for (const { afterMs, person } of changes) {
        await sleep(Math.max(0, started + afterMs - Date.now()));
        change(workspace.channel(channel), workspace.person(person));
      }
    });

  async function look(person: Person, turn: number): Promise<void> {
    const { sender } = channelSenders[turn % 2] ?? channelSenders[0] ?? { sender: '' };
    const list = async (text: string) => {
      await command(person, text);
      await sees(person, 'Updated ');
    };
    const looks = [
      () => list(listCommand),
      async () => {
        await person.opens('Home of Dropline');
        await sleep(150);
      },
      async () => {
        await list('/drop inbox');
        await person.clicks('Not downloaded');
        await sees(person, '✓ Not downloaded');
      },
      async () => {
        await command(person, `/drop contacts ${sender}`);
        await sees(person, 'Back to contacts');
      },
      async () => {
        await list(listCommand);
        await download(person, (names) => names[turn % names.length]);
      },
      async () => {
        await command(person, '/drop status');
        await sees(person, 'Last checked');
      },
      async () => {
        await list(listCommand);
        await person.clicks('Download all on this page');
        await sees(person, /I'll send you|You've downloaded all|in our direct messages|couldn't be/);
      },
    ];
    await looks[turn % looks.length]?.().catch(() => {});
    read();
    await collectLinks(person).catch(() => {});
    await person.reloads();
  }

  /** Remembers the links that the person got, and uses them at the end. */
  async function collectLinks(person: Person): Promise<void> {
    const urls = JSON.stringify(directMessages(workspace, person)).match(/http:[^"]*\/d\/[^"]*/g) ?? [];
    for (const url of urls) if (!links.some((link) => link.url === url)) links.push({ person, url });
  }

  async function useLinks(): Promise<void> {
    for (const { person, url } of links) {
      const cookie = await signIn(url, person).catch(() => '');
      const { body } = await request(url, { method: 'POST', headers: { cookie } });
      const found = filesIn(Buffer.from(await body.arrayBuffer()).toString());
      for (const file of found)
        sightings.push({ workspace: name, person: person.name, file, at: Date.now(), where: 'link' });
    }
  }

  return {
    memberships,
    sightings,
    async act() {
      if (channels === undefined) return;
      const deadline = Date.now() + looksMs;
      const looking = watchers.map(async (watcher, index) => {
        for (let turn = index * 3; Date.now() < deadline; turn += 1) {
          await look(workspace.person(watcher), turn);
          await sleep(50);
        }
      });
      const moving = moveAfterMs === undefined ? undefined : sleep(moveAfterMs).then(() => moveFiles(workspace));
      await Promise.all([...changing(), ...looking, moving]);
    },
    async lookAtEnd() {
      if (channels === undefined) return [];
      const people = ['Anna', 'Bo', 'Cleo', ...watchers].map((one) => workspace.person(one));
      // On a busy machine, an answer can take longer than a person waits.
      const isOpen = ({ client, screen }: Person) =>
        client.modals.length > 0 && /Updated |You can't download/.test(screen());
      const openList = async (person: Person) => {
        for (let attempt = 0; attempt < tries && !isOpen(person); attempt += 1) {
          await person.reloads();
          await command(person, listCommand).catch(() => {});
          await sees(person, 'Updated ').catch(() => {});
        }
        return person.screen();
      };
      await Promise.all(people.map(openList));
      read();
      for (const { name: channel } of inboxes)
        for (const person of ['Bo', 'Eve']) change(workspace.channel(channel), workspace.person(person));
      await sleep(membersMaxAgeMs + 50);
      // The lists are from before the changes. People who have left a channel try to download its files.
      const isLeft = (person: Person, label: string) =>
        inboxes.some((one) => label.includes(`-${one.name}`) && !isMember(one.name, person));
      const downloads = people.map((person) =>
        download(person, (names) => names.find((label) => isLeft(person, label)) ?? names[0]),
      );
      await Promise.allSettled(downloads);
      await useLinks();
      const lists = await Promise.all(
        people.map(async (person) => {
          await person.reloads();
          for (const turn of [1, 2, 3, 10]) await look(person, turn);
          const screen = await openList(person);
          const isList = isOpen(person);
          await person.reloads();
          const [, total = '0'] = /(\d+) items?, newest first/.exec(screen) ?? [];
          return isList ? [{ workspace: name, person: person.name, files: filesIn(screen), total: Number(total) }] : [];
        }),
      );
      return lists.flat();
    },
    async stop() {
      isStopped = true;
      await reading;
      read();
    },
  };
}

/** The files of private channels, and answers to requests. Texts like “2 files from lea@…” count too: they tell a number. */
const filePattern = new RegExp(
  `s\\d+-ch\\d+-[a-z]+\\d+\\.txt|s\\d+-a\\d+-answer|\\d+ files? from (?:${channelSenders.map(({ sender }) => sender).join('|')})`,
  'g',
);
export const filesIn = (text: string): string[] => [...new Set(text.match(filePattern))];

/** Reads everything that the bot has shown since the last time: modals, Home, messages and shared files. */
function createReader(workspace: Workspace): { sightings: Sighting[]; read(): void } {
  const { state, name } = workspace;
  const sightings: Sighting[] = [];
  const known = new WeakSet<object>();
  const knownTexts = new Set<string>();
  const isKnown = (content: object) => known.has(content) || void known.add(content) === true;
  const shown = new Map<string, string[]>();
  /** An error in a form repeats the form, and a used link its message: only what is new there was shown. */
  const add = (id: string, content: unknown, whose: Pick<Sighting, 'person' | 'channel' | 'where'>) => {
    const files = filesIn(JSON.stringify(content));
    for (const file of files)
      if (!shown.get(id)?.includes(file)) sightings.push({ workspace: name, file, at: Date.now(), ...whose });
    shown.set(id, files);
  };
  const nameOf = (id: string) => state.users.get(id)?.name;
  return {
    sightings,
    read() {
      for (const { id, body, userId } of state.views.values())
        if (!isKnown(body)) add(id, body, { person: nameOf(userId), where: titleOf(body) });
      for (const channel of state.channels.values()) {
        for (const { userId, ts, text, blocks, fileIds, ephemeralTo } of channel.messages) {
          if (userId !== state.appUser?.id) continue;
          const key = `${channel.id} ${ts} ${text} ${fileIds}`;
          if (knownTexts.has(key) && (blocks === undefined || isKnown(blocks))) continue;
          knownTexts.add(key);
          if (blocks !== undefined) known.add(blocks);
          const names = fileIds.map((id) => state.files.get(id)?.title);
          const reader = ephemeralTo ?? [...channel.members].find((id) => id !== userId);
          const isForOne = ephemeralTo !== undefined || channel.kind === 'im';
          const whose = isForOne ? { person: nameOf(reader ?? '') } : { channel: channel.name };
          add(`${channel.id} ${ts}`, [text, blocks, names], { ...whose, where: text.slice(0, 60) });
        }
      }
    },
  };
}

const titleOf = ({ type, title }: Json) => `${type} ${(title as Json | undefined)?.text ?? ''}`;

const isIn = ({ state }: Workspace, { id }: Channel, person: Person) =>
  state.channels.get(id)?.members.has(person.id) === true;

/** What the bot wrote to the person. */
const directMessages = ({ state }: Workspace, person: Person) =>
  [...state.channels.values()]
    .filter(({ kind, members }) => kind === 'im' && members.has(person.id))
    .flatMap(({ messages }) => messages.map(({ blocks }) => blocks));

/** Clicks one of the buttons for a file in the open list. */
async function download(person: Person, choose: (labels: string[]) => string | undefined): Promise<void> {
  const labels = person
    .readScreen()
    .lines.flatMap(({ controls }) => controls.map(({ accessibleName = '' }) => accessibleName))
    .filter((one) => one.startsWith('Download s'));
  const label = choose(labels);
  if (label === undefined) return;
  await person.clicks(label);
  await sees(person, /I'll send you|I sent you the link|no longer available|couldn't be|can't|didn't say/);
}

/** An admin moves the files of #legal to #board. Gives up if faults stop every attempt. */
async function moveFiles(workspace: Workspace): Promise<void> {
  const person = workspace.person(mover);
  const move = async () => {
    await command(person, '/drop settings');
    await sees(person, '[Change inbox channels]');
    await person.clicks('Change inbox channels');
    await sees(person, '[Move files…]');
    await person.clicks('Move files…');
    await sees(person, 'Files in #legal');
    await person.clicks('Move…', { near: 'Files in #legal' });
    await sees(person, 'Move to');
    await person.picks('Move to', boardName);
    await person.submits('Move files');
    await sees(person, '✅ Moved');
  };
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const isMoved = await move().then(
      () => true,
      () => false,
    );
    await person.reloads();
    if (isMoved) return;
    await sleep(300);
  }
}
