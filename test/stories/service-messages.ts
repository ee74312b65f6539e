import { expect } from 'vitest';
import type { Operation } from '../../src/sandbox/exchange/index.ts';
import type { Person, SlackServer } from '../../src/sandbox/slack/index.ts';
import type { AppSetup } from '../helpers/app.ts';
import { confirms, reviews, stages } from '../helpers/send-steps.ts';

export const hostileMessage = 'No. <https://evil.example|Sign in> <!channel> *now* at https://evil.example';

export function refuseOperation({ exchange }: AppSetup, operation: Operation): void {
  const answer = { status: 409, headers: { 'content-type': 'text/plain' }, body: hostileMessage };
  exchange.addFault({ operation, kind: 'answer', answer, times: 20 });
}

/**
 * Expects one to `max` messages with the service's error, which is plain text: unformatted in blocks, escaped in
 * `text`.
 */
export function expectPlainText({ calls }: SlackServer, max: number): void {
  const messages = calls.filter(
    ({ method, arguments: args }) => method === 'chat.postMessage' && JSON.stringify(args).includes('evil.example'),
  );
  expect(messages.length).toBeGreaterThan(0);
  expect(messages.length).toBeLessThanOrEqual(max);
  for (const { arguments: args } of messages) {
    const { text, blocks = '' } = args as { text: string; blocks?: string };
    expect(text).toContain('&lt;!channel&gt;');
    expect(text).not.toMatch(/<[!h]/);
    expect(blocks).toContain('<!channel>');
    expect(blocks).not.toMatch(/"mrkdwn"|"link"|&lt;/);
    expect(args).toMatchObject({ unfurl_links: 'false', unfurl_media: 'false' });
  }
}

/** Starts a transfer that the service refuses once the returned fault is released. */
export async function startRefusedTransfer(app: AppSetup) {
  const { bo, exchange } = app;
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(bo);
  const delay = exchange.addFault({ operation: 'receivers_set', kind: 'delay' });
  refuseOperation(app, 'receivers_set');
  await confirms(bo, 1);
  await delay.triggered;
  await bo.sees('to carl@example.org');
  return delay;
}

/** The messages about failed transfers: cards, and messages in or outside of their threads. */
export const failureMessagesOf = (person: Person) => person.messages.filter(({ text }) => text.includes('Not sent'));
