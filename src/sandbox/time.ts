import pg from 'pg';
import type { Bot } from './bot.ts';
import { type Clock, hourMs } from './clock.ts';
import { setDatabaseClock, waitForDueWork } from './database-clock.ts';
import type { LockedFolder } from './folder.ts';

const dueWorkMs = 5_000;

/**
 * Lets hours pass for the bot, its database, Slack and the service. The first and the last hour pass separately. After
 * the first one, the bot finds what arrived just before, as it would in real time. In the last one, it sends the
 * reminders that its hourly work spreads over an hour.
 */
export async function passHours(hours: number, clock: Clock, bot: Bot, folder: LockedFolder): Promise<void> {
  const client = new pg.Client(await folder.readDatabaseAddress());
  await client.connect();
  try {
    for (const step of hours > 2 ? [1, hours - 2, 1] : [hours]) {
      const ms = step * hourMs;
      clock.move(ms);
      // Stored, because the data in the folder has later times from now on.
      await folder.savePassed(clock.passedMs);
      // The bot before its database: a job that is due must find that its time has come.
      await bot.tell(ms);
      await setDatabaseClock(client, clock.passedMs);
      await bot.tell('hourly');
      if (step < hours) await waitForDueWork(client, dueWorkMs);
    }
  } finally {
    await client.end();
  }
}
