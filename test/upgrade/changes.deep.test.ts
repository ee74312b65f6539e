import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Contact } from '../../src/sandbox/exchange/index.ts';
import { signIn } from '../../src/sandbox/sign-in.ts';
import type { FileRecord } from '../../src/sandbox/slack/index.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { isChanging, nameOf, problemsOf } from './expected.ts';
import type { RecordedAction } from './recording.ts';
import { type Answer, type Upgraded, upgrade, versions } from './upgraded.ts';

const postgres = startTestPostgres();

/** Covered by settings.deep.test.ts and jobs.deep.test.ts. */
const inOtherTests = /^(submit settings|click settings|click (send|request)\.cancel)/;

describe.each(versions)('changes made with buttons and forms of %s', (version) => {
  let upgraded: Upgraded;
  const replayed = new Set<string>();
  beforeAll(async () => {
    upgraded = await upgrade(postgres, version);
    await upgraded.finish();
  });
  afterAll(() => upgraded.close());

  /** Replays an action, expects an answer and waits for its jobs. */
  async function replays(kind: RecordedAction['kind'], key: string): Promise<Answer> {
    replayed.add(`${kind} ${key}`);
    const answer = await upgraded.replay(kind, key);
    expect(problemsOf(`${kind} ${key}`, answer)).toEqual([]);
    await upgraded.untilIdle();
    return answer;
  }

  /** Replays an action. Returns the changed local contacts of Acme in their new state; undefined if removed. */
  async function contactsChangedBy(kind: RecordedAction['kind'], key: string) {
    const byEmail = () => {
      const { local } = upgraded.account('Acme').contacts;
      return new Map(structuredClone(local).map((contact): [string, Contact] => [contact.email, contact]));
    };
    const before = byEmail();
    await replays(kind, key);
    const after = byEmail();
    const emails = [...new Set([...before.keys(), ...after.keys()])];
    const isChanged = (email: string) => JSON.stringify(before.get(email)) !== JSON.stringify(after.get(email));
    return Object.fromEntries(emails.filter(isChanged).map((email) => [email, after.get(email)]));
  }

  test('a contact form of an older version changes only its own contact', async () => {
    expect(await contactsChangedBy('submit', 'contacts.add')).toEqual({
      'new@example.org': expect.objectContaining({ nick: 'New', number: '46700000999', groups: ['board', 'fresh'] }),
    });
    expect(await contactsChangedBy('submit', 'contacts.edit')).toEqual({
      'person06@example.org': expect.objectContaining({ nick: 'Renamed', groups: ['everyone', 'team 06'] }),
    });
    expect(await contactsChangedBy('submit', 'contacts.edit#groups')).toEqual({
      'person07@example.org': expect.objectContaining({ groups: ['everyone', 'team 07', 'extra'] }),
    });
    expect(await contactsChangedBy('submit', 'contacts.remove')).toEqual({ 'person08@example.org': undefined });
    expect(await contactsChangedBy('submit', 'contacts.newGroup')).toEqual({
      'emil@example.com': expect.objectContaining({ groups: ['newcomers'] }),
    });
    expect(await contactsChangedBy('submit', 'contacts.join')).toEqual({
      'carl@example.org': expect.objectContaining({ groups: ['board', 'everyone'] }),
    });
    expect(await contactsChangedBy('submit', 'contacts.importNow')).toEqual({
      'imported@example.org': expect.objectContaining({ nick: 'Imported' }),
    });
    const changedContacts = Object.values(await contactsChangedBy('click', 'contacts.leave'));
    expect(changedContacts).toEqual([expect.objectContaining({ groups: [expect.stringContaining('team')] })]);
  });

  /** Replays an action and returns the files that it added to Slack. */
  async function filesAddedBy(kind: RecordedAction['kind'], key: string): Promise<FileRecord[]> {
    const before = new Set(upgraded.workspace('Acme').files);
    await replays(kind, key);
    return upgraded.workspace('Acme').files.filter((file) => !before.has(file));
  }

  test('a review of an older version sends exactly what it showed, once', async () => {
    const { account } = upgraded;
    const before = account('Acme').drops.length;
    const { modal } = await replays('click', 'files.out');
    expect(['staged-1.txt', 'staged-2.txt'].filter((name) => modal.includes(name))).toHaveLength(1);
    await replays('close', 'send.form');
    await replays('close', 'send.confirm');
    await replays('submit', 'send.confirm');
    await upgraded.replay('submit', 'send.confirm');
    await upgraded.untilIdle();
    const [transfer, ...more] = account('Acme').drops.slice(before);
    expect(more).toEqual([]);
    expect(transfer).toMatchObject({ message: 'Words of a draft', ttl: 9, receivers: [{ email: 'carl@example.org' }] });
    expect(transfer?.files.map(({ name }) => name)).toEqual(['staged-1.txt', 'staged-2.txt']);
    await replays('click', 'receivers.clear');
  });

  test('a request of an older version is sent once', async () => {
    const requestedContacts = () => upgraded.account('Acme').uploadPages.map(({ contact }) => contact.email);
    await replays('submit', 'request.confirm');
    await upgraded.replay('submit', 'request.confirm');
    await upgraded.untilIdle();
    expect(requestedContacts()).toEqual(['person03@example.org']);
  });

  test('a button of an older version removes unexpected files and sends the transfer', async () => {
    const account = upgraded.account('Grove');
    const { uploads } = structuredClone(account);
    expect(uploads.map(({ name }) => name)).toEqual(['unexpected.doc']);
    await replays('click', 'send.ask#message');
    await replays('click', 'files.remove');
    expect(account.uploads).toEqual([]);
    account.uploads = uploads;
    await replays('click', 'send.remove#message');
    expect(account.uploads).toEqual([]);
    expect(
      account.drops.map(({ files, receivers: recipients }) => [files.length, recipients[0]?.email, files[0]?.name]),
    ).toEqual([[1, 'carl@example.org', 'blocked.txt']]);
  });

  test("the buttons of an older version's status still act on the account", async () => {
    const { rows, account, workspace } = upgraded;
    await replays('click', 'status.release');
    expect(await rows('select from dropline.holds')).toEqual([]);
    const juno = account('Juno');
    juno.uploads = structuredClone(upgraded.recorded('Grove').uploads);
    await replays('click', 'status.clear-files');
    expect(juno.uploads).toEqual([]);
    juno.receivers = [{ email: 'carl@example.org' }];
    await replays('click', 'status.clear-receivers');
    expect(juno.receivers).toEqual([]);
    const paused = 'select from dropline.polls where workspace = $1 and paused_at is not null';
    expect(await rows(paused, [workspace('Juno').id])).toHaveLength(1);
    await replays('click', 'status.resume');
    expect(await rows(paused, [workspace('Juno').id])).toEqual([]);
  });

  test('download buttons of an older version deliver files; in a post, to the thread', async () => {
    for (const key of ['inbox.download', 'inbox.download#files', 'inbox.download#message']) {
      const [file, ...more] = await filesAddedBy('click', key);
      expect(more, key).toEqual([]);
      const chunks: Uint8Array[] = [];
      for await (const chunk of file?.data.open() ?? []) chunks.push(chunk);
      const inboxFiles = upgraded.account('Acme').inbox.flatMap(({ files }) => files);
      const digest = inboxFiles.find(({ name }) => name === file?.name)?.sha256 ?? '';
      expect(Buffer.concat(chunks), key).toEqual(await upgraded.exchange.readFile(digest));
      expect(file?.shares[0]?.threadTs !== undefined, key).toBe(key.endsWith('message'));
    }
  });

  test('a download page and a key page of an older version can be used once', async () => {
    const { known } = upgraded.recording.slack;
    const download = `${upgraded.bot.url}${known.downloadPage}`;
    expect((await fetch(download)).status).toBe(200);
    expect(await (await fetch(download, { method: 'POST' })).text()).toBe('bytes of linked.txt');
    expect((await fetch(download, { method: 'POST' })).status).toBe(404);
    const body = new URLSearchParams({ key: upgraded.account('Hazel').apiKey });
    const keyPage = `${upgraded.bot.url}${known.keyPage}`;
    const headers = { cookie: await signIn(keyPage, upgraded.driver('Hazel').person) };
    const post = () => fetch(keyPage, { method: 'POST', body, headers });
    expect((await post()).status).toBe(200);
    expect((await post()).status).toBe(404);
    await replays('submit', 'connect.form');
  });

  test('export buttons of an older version each deliver a table', async () => {
    for (const key of ['contacts.export', 'audit.export'])
      expect(
        (await filesAddedBy('click', key)).map(({ name }) => name.split('.').at(-1)),
        key,
      ).toEqual(['csv']);
  });

  test('a button of an older version can turn on the add-only setting', async () => {
    const driver = upgraded.driver('Juno');
    await replays('click', 'contacts.onlyAdds#message');
    upgraded.exchange.behaviour.contactsAdd = 'refuse-existing';
    await driver.types('/drop contacts add plus@example.org 46700000444');
    await upgraded.untilIdle();
    upgraded.exchange.behaviour.contactsAdd = 'replace';
    expect(upgraded.account('Juno').contacts.local.map(({ email }) => email)).toContain('plus@example.org');
  });

  test("an older version's button still disconnects a workspace and deletes its data", async () => {
    await replays('click', 'connect.leave');
    const grove = upgraded.workspace('Grove').id;
    expect(await upgraded.rows('select from dropline.dispatches where workspace = $1', [grove])).toEqual([]);
    expect(await upgraded.rows('select from dropline.keyv where key = $1', [`credentials:${grove}`])).toEqual([]);
  });

  test('the tests replay every recorded action that changes data', () => {
    const changing = upgraded.recording.slack.acts.filter(isChanging).map(nameOf);
    expect(changing.filter((name) => !inOtherTests.test(name) && !replayed.has(name))).toEqual([]);
  });
});
