import { expect } from 'vitest';
import { itemIdOf } from '../../src/features/common/ids.ts';
import { finishItem, takeItem } from '../../src/features/inbox/work/operations.ts';
import type { InboxChannel } from '../../src/features/settings/inbox-channels.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import type { Channel, Person } from '../../src/sandbox/slack/index.ts';
import { contentOf, post } from '../../src/slack/messages.ts';
import { user } from '../helpers/exchange.ts';
import { until } from '../helpers/features.ts';
import type { InboxApp, setUpInboxApp } from '../helpers/inbox-app.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';
import { insertTransfer, requestContent, stepsToSent, takeSteps } from '../helpers/transfers.ts';

/** The sender whose files go to #legal, and the file that only its members can see. */
export const sender = 'lea@law.example';
export const secret = 'secret.pdf';

export interface PrivateChannel {
  /** A private inbox channel for one sender. Bo and Dan are its members. */
  legal: Channel;
  /** A member of the workspace who isn't in #legal, like Anna, who is an admin. */
  cleo: Person;
  dan: Person;
  /** Adds files from Lea, and waits until they are posted in #legal. Resolves with the item's id. */
  arrivesInLegal(files?: Parameters<InboxApp['addItem']>[1]): Promise<string>;
  changeLegal(changes: Partial<InboxChannel>): Promise<void>;
  /** Makes Slack refuse to say who is in a channel, until `remove` is called. */
  hidesMembers(method?: 'conversations.members' | 'conversations.info'): { remove(): void };
}

/** Adds the private inbox channel #legal to the app. All other files go to #inbox, which is public. */
export async function withPrivateChannel<App extends InboxApp>(
  setUp: (...args: Parameters<typeof setUpInboxApp>) => Promise<App>,
  ...args: Parameters<typeof setUpInboxApp>
): Promise<App & PrivateChannel> {
  const app = await setUp(...args);
  const { acme, bo, account, addItem, changeSettings, slack, inbox } = app;
  const cleo = acme.addPerson({ name: 'Cleo' });
  const dan = acme.addPerson({ name: 'Dan' });
  const legal = acme.addChannel({ name: 'legal', kind: 'private', members: [bo, dan, 'app'] });
  account.contacts.local.push({ email: sender, number: '46700000009', nick: 'Lea', groups: [] });
  const changeLegal = (changes: Partial<InboxChannel>) =>
    changeSettings({
      inboxChannels: [
        inboxChannel(inbox.id, { takeAndDone: true }),
        inboxChannel(legal.id, { senders: ['law.example'], takeAndDone: true, ...changes }),
      ],
    });
  await changeLegal({});
  return {
    ...app,
    legal,
    cleo,
    dan,
    async arrivesInLegal(files = [secret]) {
      const postsOf = () => legal.messages.filter(({ text }) => text.includes(`from ${sender}`)).length;
      const before = postsOf();
      const { url } = await addItem(sender, files);
      await until(() => postsOf() > before || undefined, 'a post in #legal');
      return itemIdOf(url);
    },
    changeLegal,
    hidesMembers: (method = 'conversations.members') =>
      slack.addFault({ method, kind: 'error', error: 'internal_error', times: 1_000 }),
  };
}

/** Three items in #legal: one is open, one was taken by Dan, one is done. */
export async function fillLegal({ arrivesInLegal, services, acme, bo, dan }: InboxApp & PrivateChannel) {
  const open = await arrivesInLegal();
  const taken = await arrivesInLegal();
  await takeItem(services, { workspace: acme.id, person: dan.id }, taken);
  const done = await arrivesInLegal();
  await finishItem(services, { workspace: acme.id, person: bo.id }, done);
  return { open, taken, done };
}

/** Where people look for received files. */
export const screens: Record<string, (person: Person, app: InboxApp) => Promise<string>> = {
  list: (person) => opens(person, '/drop inbox', 'Updated '),
  search: (person) => opens(person, '/drop inbox secret', 'Updated '),
  'not downloaded': (person) => filters(person, 'Not downloaded'),
  'open items': (person) => filters(person, 'Open items'),
  'done items': (person) => filters(person, 'Done items'),
  card: (person) => opens(person, `/drop contacts ${sender}`, '== Contact =='),
  "Carl's card": (person) => opens(person, '/drop contacts carl@example.org', '== Contact =='),
  async home(person: Person, { untilIdle }: InboxApp) {
    await person.opens('Home of Dropline');
    await untilIdle();
    return person.screen();
  },
};

/** What the person sees there. */
export async function looksAt(app: InboxApp, person: Person, name: string): Promise<string> {
  await person.reloads();
  const screen = (await screens[name]?.(person, app)) ?? '';
  await person.reloads();
  return screen;
}

async function opens(person: Person, command: string, text: string): Promise<string> {
  await person.types(command, { in: 'Dropline' });
  await person.sees(text);
  return person.screen();
}

async function filters(person: Person, label: string): Promise<string> {
  await person.types('/drop inbox', { in: 'Dropline' });
  await person.clicks(label);
  await person.sees(`✓ ${label}`);
  return person.screen();
}

/**
 * Looks at these screens as a member, a non-member, an admin, a person who has just left the channel, and a member while
 * Slack doesn't say who is in it. Expects that only the first one learns of files in #legal.
 */
export async function expectSeenByMembers(app: InboxApp & PrivateChannel, names: string[]): Promise<void> {
  const { anna, bo, cleo, dan, legal, hidesMembers, addItem } = app;
  await addItem('carl@example.org', ['open.pdf']);
  await bo.opens('#inbox');
  await bo.sees('open.pdf');
  const seen: [person: string, screen: string, isSeen: boolean][] = [];
  const looks = async (what: string, person: Person, has: [count: string, text?: string]) => {
    for (const name of names) {
      const screen = await looksAt(app, person, name);
      if (name === 'list') expect(screen).toContain(`${has[0]}, newest first`);
      if (has[1] !== undefined) expect(screen).toContain(has[1]);
      seen.push([what, name, screen.includes(secret) || screen.includes('[My items]')]);
    }
  };
  await looks('member', bo, ['4 items']);
  await looks('non-member', cleo, ['1 item']);
  await looks('admin', anna, ['1 item']);
  legal.remove(dan);
  await looks('former member', dan, ['1 item']);
  const fault = hidesMembers();
  await looks('member, unknown', bo, ['1 item', "Slack didn't say who is in some channels"]);
  fault.remove();
  expect(seen).toEqual(seen.map(([what, name]) => [what, name, what === 'member']));
}

/** A request for files of this contact that was sent. Its card is a message in the person's direct messages. */
export async function addRequest(
  { services, acme, exchange }: InboxApp,
  person: Person,
  email = 'carl@example.org',
): Promise<void> {
  const { store, slack } = services;
  const content = requestContent({ recipients: [{ email, json: '{}' }] });
  const account = `${exchange.url}/${user}`;
  const id = await insertTransfer(store, { workspace: acme.id, account, person: person.id, content });
  const card = await post(await slack.clientOf(acme.id), person.id, contentOf('The card'));
  await transfersIn(store).updateLocations(id, () => ({ card }));
  await takeSteps(store, id, stepsToSent);
}

/** The texts that name a file of #legal. */
export const namesIn = (messages: readonly { text: string }[]): string[] =>
  messages.flatMap(({ text }) => (text.includes(secret) ? [text] : []));
