import { createHmac } from 'node:crypto';
import type { Person, Workspace } from '../../src/sandbox/slack/index.ts';

/** Posts a request signed like Slack's. A wrong secret, age or type makes it invalid. */
export function deliver(
  url: string,
  body: string,
  { secret = 'signing-secret', age = 0, type = 'application/json' } = {},
) {
  const timestamp = String(Math.floor(Date.now() / 1000) - age);
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  return fetch(`${url}/slack/events`, {
    method: 'POST',
    body,
    headers: { 'content-type': type, 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp },
  });
}

export const formType = 'application/x-www-form-urlencoded';

export function commandOf({ id: person }: Person, { id: team }: Workspace, text: string, responseUrl: string): string {
  return new URLSearchParams({
    command: '/drop',
    text,
    team_id: team,
    user_id: person,
    trigger_id: `1.2.${text}`,
    channel_id: 'C1',
    response_url: responseUrl,
  }).toString();
}
