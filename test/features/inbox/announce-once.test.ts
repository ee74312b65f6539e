import { test } from 'vitest';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { usePrograms } from '../../helpers/program.ts';
import { killWhileAnnouncing } from './announce-once.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

test('if a worker is killed before recording a post, no item is lost; the post repeats', () =>
  killWhileAnnouncing(postgres, programs, 'between', 1));
