/** A bare Bolt app that only acknowledges, with the same receiver as the bot. Prints its port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { App, HTTPReceiver, LogLevel } from '@slack/bolt';

const receiver = new HTTPReceiver({
  signingSecret: process.argv[2] ?? '',
  logLevel: LogLevel.ERROR,
  bodyLimit: '4mb',
  unhandledRequestTimeoutMillis: 2_500,
});
const app = new App({
  receiver,
  authorize: async () => ({ botToken: 'xoxb-bench', botId: 'B1', botUserId: 'U1' }),
  logLevel: LogLevel.ERROR,
  convoStore: false,
  attachFunctionToken: false,
});
app.command('/drop', ({ ack }) => ack());

const server = createServer(receiver.requestListener).listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
