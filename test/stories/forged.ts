import { expect } from 'vitest';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { fillWorkspace, type WorkspaceIds } from '../helpers/filled-workspace.ts';
import { clicks, type Forgery, forms } from '../helpers/forgeries.ts';
import { forgerFor } from '../helpers/forgery.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

export const refusal = "Guests, bots and people from other organisations can't use Dropline here.";
/** The action or callback id, without the variant after the `#`. */
export const nameOf = (key: string) => key.split('#')[0] ?? '';

/** Two workspaces, each with one of everything that has an id, and no workers. */
export async function setUpForgery(postgres: TestPostgres) {
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
  await slack.untilIdle();
  return { ...setup, ours, theirs, theirAccount };
}

/** Everything that a forgery could change, on the service and in the database. */
export async function stateOf({ services, exchange, account }: AppSetup, exceptKey = '') {
  const { pool } = services.store;
  const rowsOf = async (sql: string) => (await pool.query(sql)).rows;
  return structuredClone({
    accounts: [account, exchange.account('other@example.com')].map(
      ({ tokens: _, filesInitialised: __, ...state }) => state,
    ),
    // Every write encrypts anew, even an equal value, so unchanged ciphertext means that nothing was written.
    values: await rowsOf(
      `select key, value from dropline.keyv where key !~ '^(claim|csrf|home)' and key <> '${exceptKey}' order by key`,
    ),
    transfers: await rowsOf('select * from dropline.transfers order by id'),
    items: await rowsOf('select url, belongs_to, taken_by, done_by from dropline.inbox_items order by url'),
    holds: await rowsOf('select * from dropline.holds order by account'),
    pauses: await rowsOf('select * from dropline.pauses order by workspace, target'),
    jobs: await services.queue.size(),
  });
}

/** Tries every forgery with an expected text as this person. Returns those that were not answered with that text. */
export async function tryAllForgeries(
  { acme, anna, slack }: AppSetup,
  person: Person,
  [theirs, ours]: [WorkspaceIds, WorkspaceIds],
  expectedText: (forgery: Forgery) => string | undefined,
): Promise<string[]> {
  const forger = await forgerFor(person, acme, anna);
  const unexpected: string[] = [];
  for (const [table, action] of [
    [clicks, 'clicks'],
    [forms, 'submits'],
  ] as const) {
    for (const [key, forgery] of Object.entries(table)) {
      const text = expectedText(forgery);
      if (text === undefined) continue;
      await forger[action](nameOf(key), forgery.values?.(theirs, ours) ?? {});
      await person.sees(text).catch(() => unexpected.push(`${action} ${key}: ${person.screen()}`));
    }
  }
  await slack.untilIdle();
  return unexpected;
}

/** Expects that each forged click and form of this person is refused with a reason, logged, and changes nothing. */
export async function expectRefusals(postgres: TestPostgres, role: 'guest' | 'stranger'): Promise<void> {
  const setup = await setUpForgery(postgres);
  const { acme, exchange, services, ours, logged } = setup;
  const person = acme.addPerson({ name: 'Nobody', role });
  const before = await stateOf(setup);
  const calls = exchange.calls.length;
  const expectedText = ({ outsiderReply = refusal }: Forgery) => outsiderReply;
  const own = { ...ours, person: person.id };
  expect(await tryAllForgeries(setup, person, [own, own], expectedText)).toEqual([]);
  expect(await stateOf(setup)).toEqual(before);
  expect(exchange.calls.slice(calls).map(({ operation }) => operation)).toEqual([]);
  const audited = await services.store.audit.list(acme.id, { person: person.id, limit: 1_000 });
  expect(audited.length).toBeGreaterThan(10);
  expect([...new Set(audited.map(({ outcome }) => outcome))].sort()).toEqual(['not-allowed']);
  const lines = logged()
    .split('\n')
    .filter((line) => line.includes(person.id) && line.includes('"msg":"refused"'));
  expect(lines).toHaveLength(Object.keys({ ...clicks }).length + Object.keys(forms).length);
}
