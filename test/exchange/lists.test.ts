import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { parseAccount } from '../../src/exchange/address.ts';
import { createMemoryTokens, createServiceAgent } from '../../src/exchange/index.ts';
import { defaultLimits } from '../../src/exchange/limits.ts';
import { readLists } from '../../src/exchange/lists.ts';
import { createSession } from '../../src/exchange/session.ts';

test('reading an answer yields to the event loop every 64 KB', async () => {
  const dispatcher = createServiceAgent({ hosts: [] });
  const account = parseAccount('https://files.example.com', 'api@example.com');
  const transport = { account, authorization: '', dispatcher, limits: defaultLimits };
  const session = createSession({
    transport,
    limitCall: undefined,
    secrets: [],
    tokens: createMemoryTokens(),
    clock: Date.now,
    log: undefined,
  });
  const entry = `"${'x'.repeat(1_021)}",`;
  const body = Buffer.from(`{"history":[${entry.repeat(2_048)}""]}`);
  const chunks = Array.from({ length: Math.ceil(body.length / 8_192) }, (_, at) =>
    body.subarray(at * 8_192, (at + 1) * 8_192),
  );
  let turn = 0;
  let next: NodeJS.Immediate | undefined;
  const countTurn = () => {
    turn += 1;
    next = setImmediate(countTurn);
  };
  countTurn();
  const turns: number[] = [];
  const { signal } = new AbortController();
  const answer = { operation: 'readHistory', status: 200, headers: {}, body: Readable.from([]), signal } as const;
  await readLists(session, answer, { lists: { history: () => turns.push(turn) }, chunks });
  clearImmediate(next);
  await dispatcher.close();
  expect(turns).toHaveLength(2_049);
  expect(new Set(turns).size).toBeGreaterThanOrEqual(2_097_152 / 65_536);
});
