import { test } from 'vitest';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { usePrograms } from '../../helpers/program.ts';
import { announceWhileKilling, announceWhileRestarting, killWhileAnnouncing } from './announce-once.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

test('each of 1,000 items is announced once by two constantly restarted workers', async () => {
  await announceWhileRestarting(postgres, 1_000);
}, 300_000);

test('none of 1,000 items is missed under 60 kills; only unrecorded posts repeat', async () => {
  await announceWhileKilling(postgres, programs, { items: 1_000, kills: 60 });
}, 300_000);

test('a kill before a post loses and repeats nothing', () => killWhileAnnouncing(postgres, programs, 'before', 0));
