import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { createExchange, createMemoryTokens, createServiceAgent, makeContact } from '../../src/exchange/index.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/send/operations.ts';
import type { Account } from '../../src/sandbox/exchange/index.ts';
import { apiKey, fileOf } from '../helpers/exchange.ts';
import { type FeaturesSetup, setUpFeatures, sha256, until } from '../helpers/features.ts';
import type { TestPostgres } from '../helpers/postgres.ts';
import { createRandom } from '../helpers/seeded.ts';

export interface RunOptions {
  /** Number of rounds. */
  count: number;
  /** Runs two workers until all rounds are over. */
  runWorkers(setup: FeaturesSetup, allRounds: Promise<unknown>): Promise<void>;
}

const people = [
  { person: 'U-anna', files: ['A1', 'A2'], recipients: ['carl@example.org'] },
  { person: 'U-bo', files: ['B1'], recipients: ['dora@example.net', 'emil@example.com'] },
];

interface Round {
  workspace: string;
  account: Account;
  ids: string[];
}

/** Runs rounds in which both people confirm at nearly the same time while `disturb` runs. */
async function interleave(
  postgres: TestPostgres,
  { count, runWorkers }: RunOptions,
  disturb?: (setup: FeaturesSetup, round: Round, random: () => number) => Promise<void>,
) {
  const setup = await setUpFeatures(postgres);
  const { services, sourceFiles, untilDrained } = setup;
  for (const { files } of people) for (const id of files) sourceFiles.put(id, `${id}.txt`, `content of ${id}`);
  const rounds: Round[] = [];
  async function runRound(number: number): Promise<void> {
    const { below } = createRandom(number + 1);
    const random = () => below(1_000) / 1_000;
    const workspace = `T-${number}`;
    const round: Round = { workspace, account: await setup.addWorkspace(workspace), ids: [] };
    rounds.push(round);
    const sending = people.map(async ({ person, files, recipients }) => {
      const actor = { workspace, person };
      const draft = { files, recipients, groups: [], message: person, expiresAfter: 7 };
      const { reviewId } = await prepareSend(services, actor, draft);
      await sleep(random() * 40);
      await confirmSend(services, actor, reviewId);
      round.ids.push(reviewId);
    });
    await Promise.all([...sending, disturb?.(setup, round, random)]);
  }
  const numbers = Array.from({ length: count }, (_, number) => number).values();
  const runRounds = async () => {
    for (const number of numbers) await runRound(number);
  };
  const allRounds = async () => {
    await Promise.all(Array.from({ length: 4 }, runRounds));
    await untilDrained(60_000 + count * 3_000);
  };
  await runWorkers(setup, allRounds());
  return { ...setup, rounds };
}

/** Whether the drop has exactly the files and recipients of the person named in its message. */
function isAsConfirmed({ message, files, receivers: recipients }: Account['drops'][number]): boolean {
  const sender = people.find(({ person }) => person === message);
  const actual = files.map(({ name, sha256: sum }) => `${name} ${sum}`);
  const expected = sender?.files.map((id) => `${id}.txt ${sha256(`content of ${id}`)}`);
  return (
    JSON.stringify(actual) === JSON.stringify(expected) &&
    JSON.stringify(recipients.map(({ email }) => email)) === JSON.stringify(sender?.recipients)
  );
}

/** Expects that each drop has exactly its sender's files and recipients. */
export async function sendAtOnce(postgres: TestPostgres, options: RunOptions): Promise<void> {
  const { rounds, store } = await interleave(postgres, options);
  for (const { account, ids, workspace } of rounds) {
    expect(account.drops.map(({ message }) => message).sort(), workspace).toEqual(['U-anna', 'U-bo']);
    expect(account.drops.filter(isAsConfirmed), workspace).toHaveLength(2);
    for (const id of ids) expect(await transfersIn(store).read(id)).toMatchObject({ state: 'sent' });
  }
}

/** Expects that an unexpected file on the account is never sent, and that a transfer it stops names it. */
export async function sendWithUnexpectedFile(postgres: TestPostgres, options: RunOptions): Promise<void> {
  const { rounds, store } = await interleave(postgres, options, async (_, { account }) => {
    account.uploads.push({ name: 'unexpected.doc', type: 'text/plain', bytes: 1, sha256: sha256('x') });
  });
  for (const { account, ids, workspace } of rounds) {
    // A transfer that started before the file appeared either notices it later or is already sent.
    expect(
      account.drops.filter((sentTransfer) => !isAsConfirmed(sentTransfer)),
      workspace,
    ).toEqual([]);
    for (const id of ids) {
      const transfer = await transfersIn(store).read(id);
      if (transfer?.state !== 'sent') {
        expect(transfer).toMatchObject({ state: 'failed', progress: { result: { names: ['unexpected.doc'] } } });
      }
    }
  }
}

/** Expects that a change by another client on the account stops a transfer or is reported. */
export async function sendWithOtherClient(postgres: TestPostgres, options: RunOptions): Promise<void> {
  const dispatcher = createServiceAgent({ hosts: ['127.0.0.1'] });
  onTestFinished(() => dispatcher.destroy());
  const stranger = makeContact({ email: 'mallory@example.org', number: '46799999999' });
  const { rounds, store } = await interleave(postgres, options, async ({ server }, { account }, random) => {
    const login = { baseUrl: server.url, username: account.user, apiKey };
    const otherClient = createExchange({ ...login, tokens: createMemoryTokens(), dispatcher });
    // Act in the middle of a transfer, when part of it is on the account and nothing is sent yet.
    const setsRecipients = random() < 0.5;
    const hasBegun = () => (setsRecipients ? account.receivers : account.uploads).length > 0 || undefined;
    await until(hasBegun, 'a transfer in progress', 60_000);
    if (setsRecipients) await otherClient.setReceivers([stranger]);
    else await otherClient.upload(fileOf('unexpected.doc', 'X'));
  });
  const counts = { changed: 0, stopped: 0 };
  for (const { account, ids, workspace } of rounds) {
    const transfers = await Promise.all(ids.map((id) => transfersIn(store).read(id)));
    for (const sentTransfer of account.drops) {
      if (isAsConfirmed(sentTransfer)) continue;
      counts.changed += 1;
      const transfer = transfers.find((other) => other?.person === sentTransfer.message);
      expect(transfer?.progress.difference, `${workspace} sent a changed transfer and did not report it`).toBeDefined();
    }
    for (const transfer of transfers) {
      const sentCount = account.drops.filter(({ message }) => message === transfer?.person).length;
      expect(sentCount, workspace).toBe(transfer?.state === 'sent' ? 1 : 0);
      if (sentCount === 0) counts.stopped += 1;
    }
  }
  expect(counts.stopped + counts.changed).toBeGreaterThan(0);
}
