import { test } from 'vitest';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { usePrograms } from '../../helpers/program.ts';
import { announceWhileKilling, announceWhileRestarting, killWhileAnnouncing } from './announce-once.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

test('two constantly restarting workers announce each of 1,000 items once', async () => {
  await announceWhileRestarting(postgres, 1_000);
}, 300_000);

test('after 60 worker kills, no item of 1,000 is missed; only unrecorded posts repeat', async () => {
  await announceWhileKilling(postgres, programs, { items: 1_000, kills: 60 });
}, 300_000);

test('if a worker is killed before a post, no item is lost or repeated', () =>
  killWhileAnnouncing(postgres, programs, 'before', 0));
