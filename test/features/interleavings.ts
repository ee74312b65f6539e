import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { createExchange, createMemoryTokens, createServiceAgent, makeContact } from '../../src/exchange/index.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/kinds/send/operations.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import type { Account } from '../../src/sandbox/exchange/index.ts';
import { apiKey, fileOf } from '../helpers/exchange.ts';
import { type FeaturesSetup, setUpFeatures, sha256, until } from '../helpers/features.ts';
import type { TestPostgres } from '../helpers/postgres.ts';
import { createRandom } from '../helpers/seeded.ts';

/** How many rounds to play, and which workers run the jobs. */
export interface Play {
  count: number;
  /** Runs two workers until the work is over. */
  keepWorking(setup: FeaturesSetup, work: Promise<unknown>): Promise<void>;
}

const people = [
  { person: 'U-anna', files: ['A1', 'A2'], receivers: ['carl@example.org'] },
  { person: 'U-bo', files: ['B1'], receivers: ['dora@example.net', 'emil@example.com'] },
];

interface Round {
  workspace: string;
  account: Account;
  ids: string[];
}

/** Both people confirm at nearly the same time, while `disturb` does something else. */
async function interleave(
  postgres: TestPostgres,
  { count, keepWorking }: Play,
  disturb?: (setup: FeaturesSetup, round: Round, random: () => number) => Promise<void>,
) {
  const setup = await setUpFeatures(postgres);
  const { services, shelf, drained } = setup;
  for (const { files } of people) for (const id of files) shelf.put(id, `${id}.txt`, `content of ${id}`);
  const rounds: Round[] = [];
  async function play(number: number): Promise<void> {
    const { below } = createRandom(number + 1);
    const random = () => below(1_000) / 1_000;
    const workspace = `T-${number}`;
    const round: Round = { workspace, account: await setup.join(workspace), ids: [] };
    rounds.push(round);
    const sending = people.map(async ({ person, files, receivers }) => {
      const actor = { workspace, person };
      const draft = { files, receivers, groups: [], message: person, timeToLive: 7 };
      const { confirmation } = await prepareSend(services, actor, draft);
      await sleep(random() * 40);
      await confirmSend(services, actor, confirmation);
      round.ids.push(confirmation);
    });
    await Promise.all([...sending, disturb?.(setup, round, random)]);
  }
  const numbers = Array.from({ length: count }, (_, number) => number).values();
  const player = async () => {
    for (const number of numbers) await play(number);
  };
  const playing = async () => {
    await Promise.all(Array.from({ length: 4 }, player));
    await drained(60_000 + count * 3_000);
  };
  await keepWorking(setup, playing());
  return { ...setup, rounds };
}

/** Whether the drop holds exactly what the person named in its message sent. */
function isRight({ message, files, receivers }: Account['drops'][number]): boolean {
  const sender = people.find(({ person }) => person === message);
  const held = files.map(({ name, sha256: sum }) => `${name} ${sum}`);
  const wanted = sender?.files.map((id) => `${id}.txt ${sha256(`content of ${id}`)}`);
  return (
    JSON.stringify(held) === JSON.stringify(wanted) &&
    JSON.stringify(receivers.map(({ email }) => email)) === JSON.stringify(sender?.receivers)
  );
}

/** Each drop holds exactly its sender's files and recipients. */
export async function sendAtOnce(postgres: TestPostgres, play: Play): Promise<void> {
  const { rounds, store } = await interleave(postgres, play);
  for (const { account, ids, workspace } of rounds) {
    expect(account.drops.map(({ message }) => message).sort(), workspace).toEqual(['U-anna', 'U-bo']);
    expect(account.drops.filter(isRight), workspace).toHaveLength(2);
    for (const id of ids) expect(await transfersIn(store).read(id)).toMatchObject({ state: 'sent' });
  }
}

/** With an unexpected file on the account nothing wrong is sent, and both people learn its name. */
export async function sendBesideUnexpectedFile(postgres: TestPostgres, play: Play): Promise<void> {
  const { rounds, store } = await interleave(postgres, play, async (_, { account }) => {
    account.uploads.push({ name: 'foreign.doc', type: 'text/plain', bytes: 1, sha256: sha256('x') });
  });
  for (const { account, ids, workspace } of rounds) {
    // A transfer can start before the file appears. It then notices the file on the way, or is sent before that.
    expect(
      account.drops.filter((drop) => !isRight(drop)),
      workspace,
    ).toEqual([]);
    for (const id of ids) {
      const transfer = await transfersIn(store).read(id);
      if (transfer?.state !== 'sent') {
        expect(transfer).toMatchObject({ state: 'failed', details: { result: { names: ['foreign.doc'] } } });
      }
    }
  }
}

/** Changes by another program on the account are never sent unnoticed. */
export async function sendBesideOtherProgram(postgres: TestPostgres, play: Play): Promise<void> {
  const dispatcher = createServiceAgent({ hosts: ['127.0.0.1'] });
  onTestFinished(() => dispatcher.destroy());
  const stranger = makeContact({ email: 'mallory@example.org', number: '46799999999' });
  const { rounds, store } = await interleave(postgres, play, async ({ server }, { account }, random) => {
    const login = { baseUrl: server.url, username: account.user, apiKey };
    const otherProgram = createExchange({ ...login, tokens: createMemoryTokens(), dispatcher });
    // Act in the middle of a transfer: part of it is on the account, and it is not sent yet.
    const setsRecipients = random() < 0.5;
    const isThere = () => (setsRecipients ? account.receivers : account.uploads).length > 0 || undefined;
    await until(isThere, 'a dispatch that has begun', 60_000);
    if (setsRecipients) await otherProgram.setReceivers([stranger]);
    else await otherProgram.upload(fileOf('foreign.doc', 'X'));
  });
  const hit = { changed: 0, stopped: 0 };
  for (const { account, ids, workspace } of rounds) {
    const transfers = await Promise.all(ids.map((id) => transfersIn(store).read(id)));
    for (const drop of account.drops) {
      if (isRight(drop)) continue;
      hit.changed += 1;
      const transfer = transfers.find((other) => other?.person === drop.message);
      expect(transfer?.details?.difference, `${workspace} sent something else and did not say so`).toBeDefined();
    }
    for (const transfer of transfers) {
      const made = account.drops.filter(({ message }) => message === transfer?.person).length;
      expect(made, workspace).toBe(transfer?.state === 'sent' ? 1 : 0);
      if (made === 0) hit.stopped += 1;
    }
  }
  expect(hit.stopped + hit.changed).toBeGreaterThan(0);
}
