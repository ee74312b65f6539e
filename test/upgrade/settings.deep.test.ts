import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { problemsOf } from './expected.ts';
import { PersonDriver } from './person-driver.ts';
import type { RecordedAction } from './recording.ts';
import { type Upgraded, upgrade, versions } from './upgraded.ts';

const postgres = startTestPostgres();

describe.each(versions)('the settings saved by %s', (version) => {
  let upgraded: Upgraded;
  beforeAll(async () => {
    upgraded = await upgrade(postgres, version);
    await upgraded.finish();
  });
  afterAll(() => upgraded.close());

  const anna = () => upgraded.driver('Acme');
  const bo = () => upgraded.driver('Acme', 'Bo');
  const cleo = () => upgraded.driver('Acme', 'Cleo');

  /** What a command shows, as JSON. */
  async function shownBy(driver: PersonDriver, command: string): Promise<string> {
    await driver.types(command);
    await upgraded.bot.untilInteractionsDone();
    return JSON.stringify(driver.view()?.body.blocks ?? []);
  }
  const isForm = (viewJson: string) => viewJson.includes('"type":"input"');

  /** Submits the old send form with these entries. Returns how many reviews it creates. */
  async function countReviews(fields: Record<string, string | string[]>): Promise<number> {
    const count = async () =>
      (await upgraded.rows(`select from dropline.keyv where starts_with(key, 'confirmation:')`)).length;
    const before = await count();
    await upgraded.replay('submit', 'send.form', (driver) => driver.fills(fields));
    return (await count()) - before;
  }

  /** Adds an item from this sender. Returns the channels in which it is announced. */
  async function channelsFor(sender: string, name: string): Promise<string[]> {
    await upgraded.exchange.addInboxItem(upgraded.account('Acme').user, { sender, files: [{ name, data: 'new' }] });
    const channels = () =>
      upgraded.workspace('Acme').channels.filter(({ messages }) => JSON.stringify(messages).includes(name));
    await until(() => (channels().length > 0 ? true : undefined), `${name} to be announced`);
    await upgraded.untilIdle();
    return channels().map((channel) => channel.name);
  }

  async function replays(kind: RecordedAction['kind'], key: string): Promise<void> {
    expect(problemsOf(`${kind} ${key}`, await upgraded.replay(kind, key))).toEqual([]);
  }

  test("no transfer goes to a domain or has an expiry that the settings don't allow", async () => {
    expect(await countReviews({ receivers: ['emil'] })).toBe(0);
    expect(await countReviews({ timeToLive: '31' })).toBe(0);
    expect(await countReviews({ receivers: ['dora'], timeToLive: '30' })).toBe(1);
  });

  test('people can do exactly what the old permissions allow', async () => {
    expect(isForm(await shownBy(bo(), '/drop request'))).toBe(false);
    expect(isForm(await shownBy(cleo(), '/drop request'))).toBe(true);
    expect(await shownBy(bo(), '/drop settings')).not.toContain('example.net');
    expect(await shownBy(cleo(), '/drop settings')).toContain('example.net');

    const acme = upgraded.workspace('Acme');
    const dan = acme.addPerson({ name: 'Dan' });
    acme.channel('inbox').add(dan);
    const download = upgraded.recording.slack.acts.find(({ key }) => key === 'inbox.download#message')?.ref;
    if (download === undefined) throw new Error('no download was recorded');
    const files = acme.files.length;
    await new PersonDriver(upgraded.slack, acme, dan).pressesAt(download);
    await upgraded.untilIdle();
    expect(acme.files).toHaveLength(files);
    await bo().pressesAt(download);
    await upgraded.untilIdle();
    expect(acme.files).toHaveLength(files + 1);
  });

  test('a form starts with the default message and expiry, or with the draft', async () => {
    const fresh = await shownBy(cleo(), '/drop send');
    for (const text of ['Kind regards, Acme', '"7"']) expect(fresh).toContain(text);
    const draft = await shownBy(bo(), '/drop send');
    for (const text of ['Words of a draft', 'staged-1.txt', 'staged-2.txt']) expect(draft).toContain(text);
  });

  test('the bot asks about shared files in watched channels only', async () => {
    const driver = bo();
    driver.closesAll();
    for (const channel of ['#projects', '#general'])
      await driver.person.shares([{ name: `watched ${channel}.txt`, data: 'x' }], { in: channel });
    await upgraded.untilIdle();
    await driver.person.opens('#projects');
    await driver.person.sees('Send watched #projects.txt securely?');
    expect(driver.person.messages.map(({ text }) => text).join()).not.toContain('Send watched #general.txt');
  });

  test('the add-only setting of an older version still applies', async () => {
    upgraded.exchange.behaviour.contactsAdd = 'refuse-existing';
    await upgraded.driver('Birch').types('/drop contacts add plus@example.org 46700000444');
    await upgraded.untilIdle();
    upgraded.exchange.behaviour.contactsAdd = 'replace';
    expect(upgraded.account('Birch').contacts.local.map(({ email }) => email)).toContain('plus@example.org');
  });

  test('incoming files follow their route; without one, they go to the inbox channel', async () => {
    expect(await channelsFor('dora@example.net', 'by-route.txt')).toEqual(['invoices']);
    expect(await channelsFor('emil@example.com', 'by-default.txt')).toEqual(['inbox']);
  });

  test('an item shows expiry and downloads, and its old post is still updated', async () => {
    const account = upgraded.account('Acme');
    const report = account.inbox.find(({ files }) => files[0]?.name === 'report.txt');
    const expires = Math.floor((report?.createdAt ?? 0) / 1000) + 100 * 86_400;
    const viewJson = await shownBy(anna(), '/drop inbox');
    expect(viewJson).toContain(String(expires));
    expect(viewJson).toContain(anna().person.id);
    const { messages } = upgraded.workspace('Acme').channel('inbox');
    const isOffered = () => messages.some(({ blocks }) => /inbox\.download.*report\.txt/.test(JSON.stringify(blocks)));
    expect(isOffered()).toBe(true);
    account.inbox = account.inbox.filter((item) => item !== report);
    await until(() => (isOffered() ? undefined : true), 'the download to disappear from the post');
  });

  test('settings forms of an older version change only the edited settings', async () => {
    await replays('submit', 'settings.route');
    expect(await channelsFor('emil@example.com', 'new-route.txt')).toEqual(['later']);
    await replays('click', 'settings.route-remove');
    expect(await channelsFor('dora@example.net', 'no-route.txt')).toEqual(['inbox']);
    await replays('submit', 'settings.inbox');
    expect(await channelsFor('dora@example.net', 'new-channel.txt')).toEqual(['later']);
    await replays('submit', 'settings.sending');
    expect(await countReviews({ receivers: ['carl'] })).toBe(0);
    expect(await countReviews({ receivers: ['dora'] })).toBe(1);
    await replays('submit', 'settings.people');
    expect(isForm(await shownBy(bo(), '/drop send'))).toBe(false);
    expect(isForm(await shownBy(cleo(), '/drop send'))).toBe(true);
    expect(isForm(await shownBy(anna(), '/drop request'))).toBe(true);
    await replays('submit', 'settings.service');
    expect(isForm(await shownBy(anna(), '/drop request'))).toBe(false);
  });
});
