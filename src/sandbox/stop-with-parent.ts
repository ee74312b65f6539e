/**
 * Loaded before the bot's own code: stops the bot when the process that started it ends, however it ends.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Otherwise the IPC channel would keep the bot's process alive.
process.channel?.unref();
