import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Account, Contact } from '../../src/sandbox/exchange/index.ts';
import type { Workspace } from '../../src/sandbox/slack/index.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { type Upgraded, upgrade, versions } from './upgraded.ts';

const postgres = startTestPostgres();

/** The recipients of each transfer that contains this file. */
const sentTo = ({ drops: transfers }: Account, name: string) =>
  transfers
    .filter(({ files }) => files.some((file) => file.name === name))
    .map(({ receivers: recipients }) => recipients.map(({ email }) => email));

/** The channel names of all messages with this text, without thread replies. */
const channelsMentioning = ({ state }: Workspace, text: string) =>
  [...state.channels.values()].flatMap(({ name, messages }) =>
    messages
      .filter(({ ts, threadTs = ts }) => ts === threadTs)
      .filter((message) => JSON.stringify(message).includes(text))
      .map(() => name),
  );

const filesNamed = ({ files }: Workspace, name: string | RegExp) =>
  files.filter((file) => (typeof name === 'string' ? file.name === name : name.test(file.name)));

const emailsIn = ({ contacts }: Account) => contacts.local.map(({ email }) => email);

describe.each(versions)('a deployment of %s that was killed during its work', (version) => {
  const run = async (check: (upgraded: Upgraded) => Promise<void>, options = {}) => {
    const upgraded = await upgrade(postgres, version, options);
    try {
      await check(upgraded);
    } finally {
      await upgraded.close();
    }
  };

  test('every stored value of an older version can be decrypted', () =>
    run(
      async ({ bot, rows }) => {
        const columns = await rows(
          `select format('select count(%I)::int as values from %I.%I', column_name, table_schema, table_name) as sql
           from information_schema.columns where table_schema = 'dropline'
             and (column_name like '%\\_sealed' or (table_name, column_name) = ('keyv', 'value'))`,
        );
        const counts = await Promise.all(columns.map(async ({ sql }) => Number((await rows(String(sql)))[0]?.values)));
        const all = counts.reduce((sum, count) => sum + count, 0);
        expect(all).toBeGreaterThan(150);
        expect(await bot.services.store.reencrypt()).toEqual({ encrypted: all, undecryptable: [] });
      },
      { newKeys: [randomBytes(32)] },
    ));

  test('every queued job of an older version finishes with the expected result', () =>
    run(async (upgraded) => {
      const { workspace, account, recorded, rows, bot } = upgraded;
      const cedarPosts = workspace('Cedar').channel('inbox').messages.length;
      await upgraded.finish();

      expect(bot.logged().filter(({ level, err }) => level === 'error' || err !== undefined)).toEqual([]);
      expect(await rows('select from dropline.dispatches where ended_at is null or told_at is null')).toEqual([]);
      expect(await rows('select from dropline.contact_images where settled_at is null')).toEqual([]);
      expect(await rows('select from dropline.inbox_items where announced_at is null')).toEqual([]);
      expect(await rows('select account from dropline.holds')).toEqual([
        { account: expect.stringContaining('dune@example.com') },
      ]);

      // Each transfer was sent at most once, to the confirmed recipients.
      expect(sentTo(account('Birch'), 'committed.txt')).toEqual([['carl@example.org']]);
      expect(sentTo(account('Birch'), 'queued.txt')).toEqual([['dora@example.net']]);
      expect(sentTo(account('Birch'), 'cancelled.txt')).toEqual([['emil@example.com']]);
      expect(sentTo(account('Cedar'), 'lost.txt')).toEqual([]);
      expect(sentTo(account('Elm'), 'half-1.txt')).toEqual([['carl@example.org']]);
      expect(sentTo(account('Elm'), 'half-2.txt')).toEqual([['carl@example.org']]);
      expect(account('Elm').drops).toHaveLength(1);
      expect(sentTo(account('Juno'), 'late.txt')).toEqual([['carl@example.org']]);
      expect(account('Acme').drops).toEqual(recorded('Acme').drops);
      const requestedContacts = account('Birch').uploadPages.map(({ contact }) => contact.email);
      expect(requestedContacts).toEqual(['carl@example.org', 'dora@example.net', 'emil@example.com']);
      for (const name of ['Birch', 'Cedar', 'Elm', 'Fir', 'Juno'])
        expect(account(name), name).toMatchObject({ uploads: [], receivers: [] });
      for (const [name, file] of [
        ['Cedar', 'lost.txt'],
        ['Birch', 'committed.txt'],
        ['Birch', 'queued.txt'],
        ['Elm', 'half-1.txt'],
        ['Juno', 'late.txt'],
      ] as const)
        expect(channelsMentioning(workspace(name), file), `the card of ${file}`).toEqual(['directmessage']);
      const unseen = 'select from dropline.dispatches where committed_at is not null and entry_mark is null';
      expect(await rows(`${unseen} and state = 'sent' and kind = 'dispatch'`)).toEqual([]);

      // The edits of contacts are applied, a missing contact is restored, and the others are unchanged.
      expect(account('Cedar').contacts).toEqual(recorded('Cedar').contacts);
      expect(emailsIn(account('Cedar'))).toContain('added@example.org');
      for (const name of ['Dune', 'Elm']) {
        const { local } = account(name).contacts;
        const isAdded = ({ email }: Contact) => email === 'added@example.org';
        expect(local.filter(isAdded), name).toEqual([
          { email: 'added@example.org', number: '46700000555', nick: 'Added' },
        ]);
        const oldContacts = local.filter((contact) => !isAdded(contact)).map((contact) => JSON.stringify(contact));
        expect(oldContacts.sort(), name).toEqual(
          recorded('Fir')
            .contacts.local.map((one) => JSON.stringify(one))
            .sort(),
        );
      }

      // Incoming files are announced and downloaded once, tables are exported once, shared files are answered once.
      expect(channelsMentioning(workspace('Acme'), 'unannounced.txt')).toEqual(['inbox']);
      expect(channelsMentioning(workspace('Acme'), 'unannounced-invoice.txt')).toEqual(['invoices']);
      expect(channelsMentioning(workspace('Birch'), 'archived.txt')).toEqual(['inbox']);
      expect(workspace('Cedar').channel('inbox').messages).toHaveLength(cedarPosts);
      for (const name of ['part-0.txt', 'part-1.txt', /^contacts-.*csv$/, /^audit-.*csv$/])
        expect(filesNamed(workspace('Acme'), name), String(name)).toHaveLength(1);
      for (const conversation of ['Dropline', '#projects'])
        expect(channelsMentioning(workspace('Acme'), `shared in ${conversation}.txt`), conversation).toHaveLength(1);

      // The workspace that was disconnecting is disconnected, and the one that was connecting is connected.
      const fir = workspace('Fir').id;
      for (const table of ['audit', 'dispatches', 'uploads', 'inbox_items', 'contact_images', 'polls'])
        expect(await rows(`select from dropline.${table} where workspace = $1`, [fir]), table).toEqual([]);
      const remaining = await rows('select key from dropline.keyv where strpos(key, $1) > 0', [fir]);
      expect(remaining.map(({ key }) => String(key).split(':')[0])).toEqual(['installation']);
      const inbox = workspace('Hazel').channel('inbox').messages;
      expect(inbox.filter(({ text }) => text.startsWith('New files will be posted here'))).toHaveLength(1);
    }));

  test('the Cancel buttons of an older version stop a transfer and a request', () =>
    run(async (upgraded) => {
      const { account, replay } = upgraded;
      for (const key of ['send.cancel#message', 'request.cancel#message'])
        expect(await replay('click', key), key).toMatchObject({ isAcknowledged: true, problems: [] });
      await upgraded.finish();
      expect(sentTo(account('Birch'), 'cancelled.txt')).toEqual([]);
      expect(sentTo(account('Birch'), 'queued.txt')).toHaveLength(1);
      const requestedContacts = account('Birch').uploadPages.map(({ contact }) => contact.email);
      expect(requestedContacts).toEqual(['carl@example.org', 'dora@example.net']);
    }));
});
