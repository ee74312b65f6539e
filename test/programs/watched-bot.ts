/** The bot as `main.js` runs it. Prints a line about its event loop and memory every second. */
const tickMs = 20;
let start = performance.now();
let cpu = process.cpuUsage();
let blockedMs = 0;

setInterval(() => {
  const { user, system } = process.cpuUsage(cpu);
  const lateMs = performance.now() - start - tickMs;
  // On a busy machine a timer can be late although nothing blocks the event loop, so the CPU time limits the result.
  blockedMs = Math.max(blockedMs, Math.min(lateMs, (user + system) / 1_000));
  start = performance.now();
  cpu = process.cpuUsage();
}, tickMs).unref();

setInterval(() => {
  process.stdout.write(`${JSON.stringify({ blockedMs, bytes: process.memoryUsage.rss() })}\n`);
  blockedMs = 0;
}, 1_000).unref();

await import('../../src/main.ts');

export {};
