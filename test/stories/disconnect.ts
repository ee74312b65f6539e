import pg from 'pg';
import { onTestFinished } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { dumpOf } from '../helpers/dump.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

export async function setUpDisconnect(postgres: TestPostgres) {
  const app = await setUpApp(postgres);
  const { anna, database, untilIdle } = app;
  const pool = new pg.Pool({ ...database.connection, max: 1 });
  onTestFinished(() => pool.end());
  return {
    ...app,
    async disconnect() {
      await anna.types('/drop disconnect', { in: '#general' });
      await anna.clicks('Disconnect…');
      await anna.confirms('Disconnect');
      await anna.sees("I'll message you when it's finished.");
      await anna.closes();
      await untilIdle();
    },
    countNotices: () => anna.messages.filter(({ text }) => text.startsWith('✅ Disconnected.')).length,
    /** The rows with this text, except the audit entries of connecting and disconnecting. */
    rowsContaining: async (text: string) =>
      (await dumpOf(pool))
        .split('\n')
        .filter((line) => line.includes(text) && !/,(connect|disconnect),done,/.test(line)),
  };
}
