import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createCards } from '../../src/features/transfers/cards/notify.ts';
import { bounds } from '../../src/lib/bounds.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

test('the progress of transfers that end in another process is forgotten', async () => {
  const { services, acme } = await setUpApp(postgres, { connected: false, isWorking: false });
  const cards = createCards(services);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const refs = Array.from({ length: 100 }, () => {
    const progress = { phase: 'uploading' as const, file: 1, files: 1, bytes: 1, totalBytes: 2 };
    cards.progress({ workspace: acme.id, id: randomUUID() }, progress);
    return new WeakRef(progress);
  });
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  const remembered = async () => {
    await setImmediate();
    collect();
    return refs.filter((ref) => ref.deref() !== undefined).length;
  };
  // Each look collects the garbage of the whole process.
  await expect.poll(remembered, { interval: 500 }).toBeLessThanOrEqual(4 * bounds.longJobs);
  // The object is used until here.
  expect(cards.progress).toBeDefined();
});
