import { expect, onTestFinished, test } from 'vitest';
import { user } from '../../helpers/exchange.ts';
import { until } from '../../helpers/features.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { usePrograms } from '../../helpers/program.ts';
import { startInboxWorker } from '../../programs/inbox.ts';
import { announceWhileRestarting, setUpInboxWorkers, timesPosted } from './announce-once.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

test('each of 50 items is announced once by two constantly restarted workers', async () => {
  await announceWhileRestarting(postgres, 50);
});

test.each([
  ['before a post', 'before', []],
  ['between post and record', 'between', [1]],
] as const)('a kill %s loses nothing and repeats only unrecorded posts', async (_, where, repeats) => {
  const { argsOf, isPolled, server, urls, allAnnounced, posts } = await setUpInboxWorkers(postgres);
  const first = await startInboxWorker(argsOf('first'));
  await until(isPolled, 'the baseline');
  await first.stop();
  for (let count = 0; count < 3; count += 1) {
    const files = [{ name: 'a.pdf', data: 'x' }];
    urls.push((await server.addInboxItem(user, { sender: 'carl@example.org', files })).url);
  }
  const args = JSON.stringify(argsOf('killed', { at: 2, where }));
  const { ended, printed } = programs.run('test/programs/inbox-worker.ts', [args]);
  expect(await ended, printed()).toEqual({ code: null, signal: 'SIGKILL' });
  const last = await startInboxWorker(argsOf('last'));
  onTestFinished(() => last.stop());
  await until(allAnnounced, 'all items to be announced');
  const times = timesPosted(await posts());
  expect([...times.keys()].sort()).toEqual(urls.toSorted());
  expect([...times.values()].filter((count) => count > 1).map((count) => count - 1)).toEqual(repeats);
});
