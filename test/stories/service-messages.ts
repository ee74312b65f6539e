import { expect } from 'vitest';
import type { Operation } from '../../src/sandbox/exchange/index.ts';
import type { SlackServer } from '../../src/sandbox/slack/index.ts';
import type { AppSetup } from '../helpers/app.ts';
import { checks, confirms, stages } from '../helpers/sending.ts';

export const evil = 'No. <https://evil.example|Sign in> <!channel> *now* at https://evil.example';

export function refuses({ exchange }: AppSetup, operation: Operation): void {
  const answer = { status: 409, headers: { 'content-type': 'text/plain' }, body: evil };
  exchange.addFault({ operation, kind: 'answer', answer, times: 20 });
}

/** Expects the service's error as plain text in each message: unformatted in blocks, escaped in `text`. */
export function expectPlainText({ calls }: SlackServer, most: number): void {
  const messages = calls.filter(
    ({ method, arguments: said }) => method === 'chat.postMessage' && JSON.stringify(said).includes('evil.example'),
  );
  expect(messages.length).toBeGreaterThan(0);
  expect(messages.length).toBeLessThanOrEqual(most);
  for (const { arguments: said } of messages) {
    const { text, blocks = '' } = said as { text: string; blocks?: string };
    expect(text).toContain('&lt;!channel&gt;');
    expect(text).not.toMatch(/<[!h]/);
    expect(blocks).toContain('<!channel>');
    expect(blocks).not.toMatch(/"mrkdwn"|"link"|&lt;/);
    expect(said).toMatchObject({ unfurl_links: 'false', unfurl_media: 'false' });
  }
}

/** Starts a transfer that the service refuses once the returned fault is released. */
export async function sendsRefused(app: AppSetup) {
  const { bo, exchange } = app;
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await checks(bo);
  const held = exchange.addFault({ operation: 'receivers_set', kind: 'delay' });
  refuses(app, 'receivers_set');
  await confirms(bo, 1);
  await held.struck;
  await bo.sees('to carl@example.org');
  return held;
}
