/**
 * Loaded before the bot: ends it when whoever started it is gone, however that came about. The bot itself knows nothing
 * of it.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Otherwise the line to the sandbox would keep the bot from ending by itself.
process.channel?.unref();
