import { expect, test } from 'vitest';
import { claimPolls, pollSucceeded, startPolling } from '../../../src/features/inbox/poll/repository.ts';
import { everyMs, setUpInbox } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

test('polls of 200 workspaces connected at once stay spread over the interval', async () => {
  const { store } = await setUpInbox(postgres, { isWorking: false });
  const { pool } = store;
  for (let number = 0; number < 200; number += 1) await startPolling(pool, `W${number}`);
  const pollAll = async () => {
    const claims = await claimPolls(pool, 1_000);
    for (const claim of claims) await pollSucceeded(pool, claim, everyMs, { account: 'a', digest: 'd' });
    return claims.length;
  };
  const slots = async () => {
    const { rows } = await pool.query<{ workspace: string; at: number }>(
      `select workspace, extract(epoch from next_at)::float8 * 1000 as at from dropline.polls
       where workspace like 'W%' order by workspace`,
    );
    return rows.map(({ at }) => at);
  };
  expect(await pollAll()).toBe(200);
  const first = await slots();
  const begin = Date.now() + everyMs / 2;
  const tenths = Array.from(
    { length: 10 },
    (_, tenth) => first.filter((at) => Math.floor(((at - begin) / everyMs) * 10) === tenth).length,
  );
  // Twenty each on average. About one run in a million is outside these bounds.
  expect(Math.min(...tenths)).toBeGreaterThan(2);
  expect(Math.max(...tenths)).toBeLessThan(50);
  // All workers were down for a while, so every workspace is more than two intervals late.
  await pool.query(`update dropline.polls set next_at = next_at - interval '4 minutes'`);
  const resumedAt = Date.now();
  await pollAll();
  const second = await slots();
  second.forEach((at, index) => {
    const steps = (at - (first[index] ?? 0)) / everyMs;
    expect(Math.abs(steps - Math.round(steps))).toBeLessThan(0.001);
    expect(at).toBeGreaterThan(resumedAt);
    expect(at).toBeLessThan(Date.now() + everyMs);
  });
});
