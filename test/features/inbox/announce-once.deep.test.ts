import { test } from 'vitest';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { usePrograms } from '../../helpers/program.ts';
import { announceWhileKilling, announceWhileRestarting, killWhileAnnouncing } from './announce-once.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

test('two workers that restart constantly announce each of 1,000 items once', async () => {
  await announceWhileRestarting(postgres, 1_000);
}, 300_000);

test('60 kills miss none of 1,000 items; only posts that were not recorded repeat', async () => {
  await announceWhileKilling(postgres, programs, { items: 1_000, kills: 60 });
}, 300_000);

test('a worker killed before a post neither loses nor repeats an item', () =>
  killWhileAnnouncing(postgres, programs, 'before', 0));
