import { test } from 'vitest';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { usePrograms } from '../../helpers/program.ts';
import { killWhileAnnouncing } from './announce-once.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

test('a worker killed between post and record loses no item and repeats that post', () =>
  killWhileAnnouncing(postgres, programs, 'between', 1));
