/**
 * Loaded before the bot: stops it when the process that started it ends in any way. The bot's code doesn't know about
 * it.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Otherwise the IPC channel would keep the bot's process alive.
process.channel?.unref();
