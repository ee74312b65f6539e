import type { KnownBlock } from '@slack/types';
import { Agent, request } from 'undici';

export interface Response {
  text: string;
  blocks?: KnownBlock[];
  replace_original: boolean;
}

const patienceMs = 10_000;

/** Limits connections: under load, each answer would otherwise open its own. */
const dispatcher = new Agent({ connections: 16, headersTimeout: patienceMs, bodyTimeout: patienceMs });

/**
 * Answers only this person, at the response_url of a command or click. Bolt uses fetch for this, which waits five
 * minutes if Slack hangs and accounts for a third of the cost of a short answer.
 */
export async function respondAt(address: string, response: Response): Promise<void> {
  const { statusCode, body } = await request(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ ...response, response_type: 'ephemeral' }),
    dispatcher,
  });
  await body.dump();
  if (statusCode !== 200) throw new Error(`Slack refuses the answer with status ${statusCode}`);
}
