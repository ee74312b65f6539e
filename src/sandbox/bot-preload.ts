/**
 * Loaded before the bot's own code: moves its clock when the sandbox says so, and stops the bot when the process that
 * started it ends, however it ends.
 */
import { installClock } from './clock.ts';

const clock = installClock(Number(new URL(import.meta.url).searchParams.get('passedMs')));

/** What the sandbox sends: by how much to move the clock, or that an hour has passed for the database too. */
process.on('message', async (message: number | 'hourly') => {
  if (message === 'hourly') await clock.runHourly();
  else clock.move(message);
  process.send?.('done');
});
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Otherwise the IPC channel would keep the bot's process alive.
process.channel?.unref();
