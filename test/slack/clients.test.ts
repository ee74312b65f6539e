import { expect, test } from 'vitest';
import { createClients } from '../../src/slack/clients.ts';
import { setUpWorkspace } from '../sandbox/slack/helper.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };

test('a rate limit delays only calls of the same method and channel', async () => {
  const { slack, token, acme, anna } = await setUpWorkspace();
  const { retrying } = createClients({ apiUrl: slack.apiUrl, log })(token);
  const other = acme.addChannel({ name: 'other', members: [anna, 'app'] });
  const limited = slack.addFault({ method: 'chat.postMessage', kind: 'rate-limited' });
  const done: string[] = [];
  const post = async (text: string, channel: string) => {
    await retrying.chat.postMessage({ channel, text });
    done.push(text);
  };
  const delayed = post('limited', acme.channel('general').id);
  await limited.triggered;
  // Until the client has read the answer, it doesn't know the limit.
  await retrying.auth.test();
  const waiting = post('behind it', acme.channel('general').id);
  await post('elsewhere', other.id);
  await retrying.users.info({ user: anna.id });
  expect(done).toEqual(['elsewhere']);
  expect(slack.calls.filter(({ method }) => method === 'chat.postMessage')).toHaveLength(2);
  await Promise.all([delayed, waiting]);
  expect(done).toHaveLength(3);
});
