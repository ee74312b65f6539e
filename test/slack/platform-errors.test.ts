import { createServer } from 'node:http';
import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { isUnanswered, platformErrorOf } from '../../src/slack/platform-errors.ts';
import { failureOf } from '../helpers/exchange.ts';
import { serve } from '../helpers/serve.ts';
import { setUpWorkspace } from '../sandbox/slack/helper.ts';

const noRetries = { retryConfig: { retries: 0 }, rejectRateLimitedCalls: true };

test.each([
  ['error', false],
  ['rate-limited', false],
  ['server-error', true],
  ['reset-before', true],
  ['reset-after', true],
  ['cut', true],
] as const)('after the fault %s, a call counts as unanswered: %s', async (kind, expected) => {
  const { slack, token } = await setUpWorkspace();
  const client = new WebClient(token, { slackApiUrl: slack.apiUrl, ...noRetries });
  slack.addFault({ method: 'auth.test', kind, ...(kind === 'error' && { error: 'fatal_error' }) });
  const error = await failureOf(client.auth.test());
  expect(isUnanswered(error)).toBe(expected);
});

test.each(['{"ok":true,"channel":"C1', '<html><title>Bad gateway</title></html>', ''])(
  'an answer that is not JSON counts as no answer: %j',
  async (body) => {
    const url = await serve(createServer((_, response) => response.end(body)));
    const client = new WebClient('xoxb-1', { slackApiUrl: `${url}/`, ...noRetries });
    const error = await failureOf(client.auth.test());
    expect(platformErrorOf(error)).toBeUndefined();
    expect(isUnanswered(error)).toBe(true);
  },
);
