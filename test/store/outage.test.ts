import { expect, test } from 'vitest';
import { createOutage } from '../../src/store/outage.ts';

function collectLines() {
  const lines: string[] = [];
  const write = (level: string) => (_: object, message: string) => void lines.push(`${level}: ${message}`);
  return { lines, log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') } };
}

test('an outage is logged at its start, at intervals and at its end', async () => {
  const { lines, log } = collectLines();
  let isDown = true;
  const ping = async () => {
    if (isDown) throw new Error('connect ECONNREFUSED');
  };
  const outage = createOutage(log, ping, { pingMs: 1, remindMs: 30 });
  const quiet = outage.quiet(log);
  quiet.warn({}, 'before');
  outage.begin(new Error('lost'));
  outage.begin(new Error('another one'));
  quiet.warn({}, 'during');
  await expect.poll(() => lines.length, { interval: 1 }).toBeGreaterThan(4);
  isDown = false;
  await expect.poll(() => lines.at(-1), { interval: 1 }).toBe('info: database is back');
  quiet.warn({}, 'after');
  const [before, start, during, ...rest] = lines;
  expect([before, start, during]).toEqual(['warn: before', 'warn: database unreachable', 'debug: during']);
  expect(rest.slice(-2)).toEqual(['info: database is back', 'warn: after']);
  expect(new Set(rest.slice(0, -2))).toEqual(new Set(['warn: database still unreachable']));
});

test('a database that fails again and again is logged once a minute', async () => {
  const { lines, log } = collectLines();
  let pings = 0;
  const ping = async () => {
    pings += 1;
  };
  const outage = createOutage(log, ping, { pingMs: 1 });
  for (const round of [1, 2, 3]) {
    outage.begin(new Error('too many clients'));
    await expect.poll(() => pings, { interval: 1 }).toBe(round);
  }
  expect(lines).toEqual(['warn: database unreachable', 'info: database is back']);
});
