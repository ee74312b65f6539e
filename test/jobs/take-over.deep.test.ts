import { expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { stepsHandler } from '../programs/steps.ts';
import { killAtEach, points, withEffects } from './take-over.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

test(`kill -9 at any of ${points.length} moments repeats no recorded step`, async () => {
  await killAtEach(points, postgres, programs);
}, 120_000);

test('another worker takes over from a killed one within 20 seconds', async () => {
  const { start, effectsOf, startWorker, store, untilDrained } = await withEffects(postgres, programs);
  const { child, nextLine, ended } = await start('slow', { step: 3, where: 'never' });
  expect(await nextLine()).toBe('waiting');
  await startWorker({ handlers: [stepsHandler(store, 'slow')] });
  child.kill('SIGKILL');
  await ended;
  const killedAt = Date.now();
  await untilDrained();
  expect(Date.now() - killedAt).toBeLessThan(20_000);
  expect(await effectsOf('slow')).toEqual([1, 1, 1, 2, 1, 1, 1]);
}, 60_000);
