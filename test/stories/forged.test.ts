import { expect, test } from 'vitest';
import type { UiServices } from '../../src/features/common/ui-services.ts';
import { featureRoutes } from '../../src/features/routes.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { joinRoutes } from '../../src/slack/routes.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { fillWorkspace, type WorkspaceIds } from '../helpers/filled-workspace.ts';
import { clicks, type Forgery, forms, readOnly } from '../helpers/forgeries.ts';
import { forgerFor } from '../helpers/forgery.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();
const refusal = 'Guests, bots and people from other organisations cannot use Dropline here.';
const nameOf = (key: string) => key.split('#')[0] ?? '';

test('every button and form has a forgery', () => {
  const routes = joinRoutes(featureRoutes({} as UiServices));
  const tried = [...new Set([...Object.keys(clicks), ...Object.keys(forms)].map(nameOf)), ...readOnly];
  const known = new Set([...Object.keys(routes.actions), ...Object.keys(routes.forms)]);
  expect(tried.sort()).toEqual([...known].sort());
});

/** Two workspaces with one of everything and no workers. */
async function setUpForgery() {
  const setup = await setUpApp(postgres, { connected: false, isWorking: false });
  const { acme, anna, account, slack, exchange, install } = setup;
  const channel = acme.addChannel({ name: 'inbox', members: [anna, 'app'] });
  const ours = await fillWorkspace(setup, { workspace: acme, person: anna, channel, account }, 'plain');
  const other = slack.addWorkspace({ name: 'Other' });
  const mia = other.addPerson({ name: 'Mia', role: 'owner' });
  await install(other, mia);
  const theirAccount = exchange.addAccount({ user: 'other@example.com', apiKey: 'k' });
  const theirChannel = other.addChannel({ name: 'theirs', members: [mia, 'app'] });
  const owner = { workspace: other, person: mia, channel: theirChannel, account: theirAccount };
  const theirs = await fillWorkspace(setup, owner, 'secret');
  await slack.settled();
  return { ...setup, ours, theirs, theirAccount };
}

/** Everything that a forgery could change, on the service and in the database. */
async function stateOf({ services, exchange, account }: AppSetup, exceptKey = '') {
  const { pool } = services.store;
  const rowsOf = async (sql: string) => (await pool.query(sql)).rows;
  return structuredClone({
    accounts: [account, exchange.account('other@example.com')].map(
      ({ tokens: _, filesInitialised: __, ...state }) => state,
    ),
    // Each write encrypts again, even an equal value, so the same text means that nothing was written.
    values: await rowsOf(
      `select key, value from dropline.keyv where key !~ '^(claim|csrf|edit-waiting|home)' and key <> '${exceptKey}' order by key`,
    ),
    transfers: await rowsOf('select * from dropline.dispatches order by id'),
    holds: await rowsOf('select * from dropline.holds order by account'),
    jobs: await services.queue.size(),
  });
}

/** Tries every forgery as this person and returns those that were not answered with the expected text. */
async function tryAll(
  { acme, anna, slack }: AppSetup,
  person: Person,
  [theirs, ours]: [WorkspaceIds, WorkspaceIds],
  expectedText: (forgery: Forgery) => string | undefined,
): Promise<string[]> {
  const forger = await forgerFor(person, acme, anna);
  const unexpected: string[] = [];
  for (const [table, act] of [
    [clicks, 'clicks'],
    [forms, 'submits'],
  ] as const) {
    for (const [key, forgery] of Object.entries(table)) {
      const text = expectedText(forgery);
      if (text === undefined) continue;
      await forger[act](nameOf(key), forgery.values?.(theirs, ours) ?? {});
      await person.sees(text).catch(() => unexpected.push(`${act} ${key}: ${person.screen()}`));
    }
  }
  await slack.settled();
  return unexpected;
}

test.each(['guest', 'stranger'] as const)(
  'a %s who forges clicks and forms is refused with a reason and changes nothing',
  async (role) => {
    const setup = await setUpForgery();
    const { acme, exchange, services, ours, logged } = setup;
    const person = acme.addPerson({ name: 'Nobody', role });
    const before = await stateOf(setup);
    const calls = exchange.calls.length;
    const expectedText = ({ outsiderReply = refusal }: Forgery) => outsiderReply;
    const own = { ...ours, person: person.id };
    expect(await tryAll(setup, person, [own, own], expectedText)).toEqual([]);
    expect(await stateOf(setup)).toEqual(before);
    expect(exchange.calls.slice(calls).map(({ operation }) => operation)).toEqual([]);
    const audited = await services.store.audit.list(acme.id, { person: person.id, limit: 1_000 });
    expect(audited.length).toBeGreaterThan(10);
    expect([...new Set(audited.map(({ outcome }) => outcome))].sort()).toEqual(['not-allowed']);
    const lines = logged()
      .split('\n')
      .filter((line) => line.includes(person.id) && line.includes('"msg":"refused"'));
    expect(lines).toHaveLength(Object.keys({ ...clicks }).length + Object.keys(forms).length);
  },
);

test('a guest is refused every command and shortcut, and menus offer nothing', async () => {
  const setup = await setUpForgery();
  const { acme, anna, gus, exchange, slack } = setup;
  const { commands, options } = joinRoutes(featureRoutes({} as UiServices));
  const before = await stateOf(setup);
  const calls = exchange.calls.length;
  await gus.opens('#general');
  const isRefused = async () => {
    await gus.sees(refusal);
    await gus.reloads();
  };
  for (const name of Object.keys(commands).filter((command) => command !== 'help')) {
    await gus.types(`/drop ${name}`);
    await isRefused();
  }
  await gus.usesShortcut('Send files securely');
  await isRefused();
  await anna.shares([{ name: 'plan.pdf', data: 'the plan' }], { in: '#general', text: 'the plan' });
  await gus.usesShortcut('Send securely', { on: 'the plan' });
  await isRefused();
  const forger = await forgerFor(gus, acme, anna);
  slack.behaviour.timeoutMs = 200;
  for (const name of Object.keys(options)) {
    await expect(forger.picks(name, 'plain'), name).rejects.toThrow('Offered: nothing');
  }
  expect(await stateOf(setup)).toEqual(before);
  expect(exchange.calls.slice(calls)).toEqual([]);
});

test('an admin gets no access to another workspace by using its ids', async () => {
  const setup = await setUpForgery();
  const { anna, acme, slack, ours, theirs } = setup;
  // Admins can change their own draft, so it isn't compared.
  const draft = `draft:${acme.id} ${anna.id}`;
  const before = await stateOf(setup, draft);
  expect(await tryAll(setup, anna, [theirs, ours], ({ reply }) => reply)).toEqual([]);
  expect(await stateOf(setup, draft)).toEqual(before);
  const calls = slack.calls.filter(({ team }) => team === acme.id);
  expect(calls.filter((call) => JSON.stringify(call.arguments).includes('secret'))).toEqual([]);
});

/** The modal doesn't show the outcome of these, or shows the same text as a refusal. Other stories cover them. */
const shownElsewhere = [
  ['files.out', 'files.remove', 'request.cancel', 'send.ask', 'send.cancel', 'send.remove'],
  // Refused while a transfer is active.
  ['connect.form'],
].flat();

test('an admin who uses ids of the same workspace is not refused', async () => {
  const setup = await setUpForgery();
  const { anna, acme, ours } = setup;
  const forger = await forgerFor(anna, acme, anna);
  const refused: string[] = [];
  for (const [act, table] of [
    ['clicks', clicks],
    ['submits', forms],
  ] as const) {
    for (const [key, { reply, values }] of Object.entries(table)) {
      if (reply === undefined || shownElsewhere.includes(key)) continue;
      await forger[act](nameOf(key), values?.(ours, ours) ?? {});
      await anna.doesNotSee(/Forged|One moment/);
      if (anna.screen().includes(reply)) refused.push(`${act} ${key}: ${anna.screen()}`);
    }
  }
  expect(refused).toEqual([]);
  await forger.picks('receivers', 'plain@example.org');
  await forger.picks('members', 'plain@example.org');
  await forger.picks('knownGroups', 'plain group');
  expect(anna.messages.filter(({ text }) => text.includes('⚠️'))).toEqual([]);
});
