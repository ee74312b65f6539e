import { createHmac, randomUUID } from 'node:crypto';
import { Pool } from 'undici';

export interface CommandSender {
  signingSecret: string;
  workspace: string;
  person: string;
  channel: string;
  /** The URL that the bot posts its answer to. */
  responseUrl: string;
}

/**
 * Sends commands for a fixed time, over persistent connections. Each client sends its next command when the previous
 * one is acknowledged; the workspaces take turns. Resolves with the times to acknowledge, in milliseconds.
 */
export async function sendCommands(
  origin: string,
  senders: readonly CommandSender[],
  { clients, durationMs }: { clients: number; durationMs: number },
): Promise<number[]> {
  const pool = new Pool(origin, { connections: clients, pipelining: 1 });
  const times: number[] = [];
  const end = performance.now() + durationMs;
  let count = 0;
  const next = () => senders[count++ % senders.length] as CommandSender;
  const client = async () => {
    while (performance.now() < end) {
      const started = performance.now();
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/slack/events',
        ...signedRequest(next()),
      });
      await body.dump();
      if (statusCode !== 200) throw new Error(`a command was answered with ${statusCode}`);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  await pool.close();
  return times;
}

function signedRequest({ signingSecret, workspace, person, channel, responseUrl }: CommandSender) {
  const body = new URLSearchParams({
    team_id: workspace,
    channel_id: channel,
    user_id: person,
    command: '/drop',
    text: 'help',
    api_app_id: 'A0BENCH0000',
    is_enterprise_install: 'false',
    response_url: responseUrl,
    trigger_id: randomUUID(),
  }).toString();
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${signature}`,
  };
  return { headers, body };
}
