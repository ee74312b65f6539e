import pg from 'pg';
import { onTestFinished } from 'vitest';
import { hourMs, installClock } from '../../src/sandbox/clock.ts';
import { setDatabaseClock, waitForDueWork } from '../../src/sandbox/database-clock.ts';
import type { AppSetup } from './app.ts';

export type PassHours = (hours: number) => Promise<void>;

/**
 * Sets up an app in which time can pass: for the bot of this process, its database, Slack and the service. `setUp` must
 * use a separate bot. The second result lets hours pass, and resolves when the jobs that are due then are done.
 */
export async function setUpWithTime<T extends Pick<AppSetup, 'database'>>(
  setUp: () => Promise<T>,
): Promise<T & { passHours: PassHours }> {
  const clock = installClock();
  onTestFinished(clock.remove);
  const app = await setUp();
  const client = new pg.Client({ ...app.database.connection, user: 'postgres' });
  await client.connect();
  onTestFinished(() => client.end());
  return {
    ...app,
    async passHours(hours) {
      clock.move(hours * hourMs);
      await setDatabaseClock(client, clock.passedMs);
      await waitForDueWork(client, 10_000);
    },
  };
}
