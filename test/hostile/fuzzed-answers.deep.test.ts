import { isUtf8 } from 'node:buffer';
import { load } from 'cheerio';
import { expect, test } from 'vitest';
import type { ContactLists, Exchange, History, Operation, UploadedFile } from '../../src/exchange/index.ts';
import { createMemoryTokens, ExchangeError } from '../../src/exchange/index.ts';
import { setUp } from '../helpers/exchange.ts';
import { calls, prepare } from '../helpers/operations.ts';
import { createRandom } from '../helpers/seeded.ts';
import { mutations, type RawAnswer } from './mutations.ts';
import { startReplayedService } from './replayed-service.ts';

/** Each seed makes one mutation of each kind; a failure names both. */
const seeds = Array.from({ length: 2 }, (_, seed) => seed + 1);

type Check = (result: unknown, sent: RawAnswer) => void;

function parsed({ body }: RawAnswer): unknown {
  expect(isUtf8(body)).toBe(true);
  return JSON.parse(body.toString().replace(/^\uFEFF/, ''));
}

/** A call can succeed only if the answer has this JSON status. */
const hasStatus =
  (word: string): Check =>
  (_, { body }) => {
    const { status } = JSON.parse(body.toString()) as { status: unknown };
    expect(status).toBe(word);
  };

const checks: Record<Operation, Check> = {
  signIn(token, { body }) {
    const values = load(body.toString())('input[name="csrftoken" i]').map((_, input) => load(input)('input').val());
    expect(values.get().map((value) => String(value).trim())).toContain(token);
  },
  readContacts(result, sent) {
    const { local, global } = result as ContactLists;
    // Compared as text, because comparing deeply nested objects overflows.
    const read = (contacts: ContactLists['local']) => JSON.stringify(contacts.map(({ json }) => JSON.parse(json)));
    const sentLists = parsed(sent) as Record<keyof ContactLists, unknown>;
    expect([read(local), read(global)]).toEqual([JSON.stringify(sentLists.local), JSON.stringify(sentLists.global)]);
  },
  replaceContacts: hasStatus('ok'),
  setReceivers: hasStatus('ok'),
  listFiles(result, sent) {
    const names = (parsed(sent) as { name: unknown }[]).map(({ name }) => String(name));
    expect((result as UploadedFile[]).map(({ name }) => name)).toEqual(names);
  },
  removeFile: hasStatus('deldone'),
  upload: hasStatus('done'),
  createDispatch: hasStatus('ok'),
  grantAccess: hasStatus('ok'),
  readHistory(result, sent) {
    const { entries } = result as History;
    const { history } = parsed(sent) as Record<string, { ddmessage?: unknown }[]>;
    const textOf = (value: unknown) => (value === undefined || value === null ? undefined : String(value));
    expect(entries.map(({ message }) => message)).toEqual(history?.map(({ ddmessage }) => textOf(ddmessage)));
  },
  download(result, sent) {
    expect(sent.cutAt ?? sent.body.length).toBe(sent.body.length);
    expect(sent.body.equals(result as Buffer)).toBe(true);
  },
};

const operations: { name: Operation; run(exchange: Exchange): Promise<unknown> }[] = [
  { name: 'signIn', run: (exchange) => exchange.signIn() },
  ...calls,
];

test.each(operations)('$name reads a mutated answer correctly or throws an ExchangeError', async ({ name, run }) => {
  const setup = await setUp();
  await setup.exchange.readContacts();
  await prepare(setup);
  const service = await startReplayedService(setup);
  const account = { baseUrl: service.url };
  const first = setup.client(account);
  await first.signIn();
  await run(first);
  const valid = service.recorded[name];
  if (valid === undefined) throw new Error('no valid answer was recorded');

  const outcomes = { succeeded: 0, rejected: 0 };
  for (const seed of seeds) {
    for (const [index, [kind, mutate]] of Object.entries(mutations).entries()) {
      const sent = mutate(valid, createRandom(seed * 1_000 + index));
      const label = `seed ${seed}, ${kind}: ${sent.status} ${sent.body.toString('latin1').slice(0, 300)}`;
      const tokens = createMemoryTokens();
      const exchange = setup.client({ ...account, tokens });
      // Start with an existing token, so that the retry with a new one is covered too.
      if (name !== 'signIn') await exchange.signIn();
      service.answer(name, sent);
      try {
        const result = await run(exchange);
        const { value } = (await tokens.read(exchange.account)) ?? {};
        expect(sent.status, label).toBeLessThan(300);
        try {
          checks[name](name === 'signIn' ? value : result, sent);
        } catch (error) {
          throw new Error(label, { cause: error });
        }
        outcomes.succeeded += 1;
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error;
        expect(error.message.length, label).toBeLessThan(700);
        expect(error.operation, label).toBe(name);
        if (name === 'createDispatch' || name === 'grantAccess') expect(error.code, label).toBe('outcome-unknown');
        outcomes.rejected += 1;
      }
    }
  }
  expect(outcomes.succeeded).toBeGreaterThanOrEqual(seeds.length);
  expect(outcomes.rejected).toBeGreaterThan(seeds.length);
});
