import { expect, test } from 'vitest';
import { z } from 'zod';
import { connectingJob } from '../../src/features/connect/trial.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import type { JobContext } from '../../src/jobs/index.ts';
import type { Operation } from '../../src/sandbox/exchange/index.ts';
import type { Person, SlackServer } from '../../src/sandbox/slack/index.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { until } from '../helpers/features.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { checks, confirms, stages } from '../helpers/sending.ts';

const postgres = startTestPostgres();

const evil = 'No. <https://evil.example|Sign in> <!channel> *now* at https://evil.example';

function refuses({ exchange }: AppSetup, operation: Operation): void {
  const answer = { status: 409, headers: { 'content-type': 'text/plain' }, body: evil };
  exchange.addFault({ operation, kind: 'answer', answer, times: 20 });
}

/** The messages that have the stranger's words in them have them as words: shown by blocks, escaped in the text. */
function expectOnlyWords({ calls }: SlackServer, most: number): void {
  const told = calls.filter(
    ({ method, arguments: said }) => method === 'chat.postMessage' && JSON.stringify(said).includes('evil.example'),
  );
  expect(told.length).toBeGreaterThan(0);
  expect(told.length).toBeLessThanOrEqual(most);
  for (const { arguments: said } of told) {
    const { text, blocks = '' } = said as { text: string; blocks?: string };
    expect(text).toContain('&lt;!channel&gt;');
    expect(text).not.toMatch(/<[!h]/);
    expect(blocks).toContain('<!channel>');
    expect(blocks).not.toMatch(/"mrkdwn"|"link"|&lt;/);
    expect(said).toMatchObject({ unfurl_links: 'false', unfurl_media: 'false' });
  }
}

test('what a service says when it refuses a request is told as words, in the card and in its thread', async () => {
  const app = await setUpInboxApp(postgres);
  const { bo, set, slack } = app;
  await set({ requests: true });
  await bo.types('/drop request');
  await bo.picks('Who should send you files?', 'dora@example.net');
  await bo.fills('Message to them', 'Please');
  await bo.submits('Next');
  await bo.sees('1 person will be able');
  refuses(app, 'receivers_set');
  await bo.submits('Ask 1 person');
  await bo.opens('Dropline');
  await bo.sees(/(?:did not go out[\s\S]*<https:\/\/evil\.example\|Sign in> <!channel> \*now\*[\s\S]*){2}/);
  expectOnlyWords(slack, 2);
});

test('what a service says when it refuses a dispatch is told as words, too', async () => {
  const app = await setUpApp(postgres);
  const { bo, slack } = app;
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await checks(bo);
  refuses(app, 'receivers_set');
  await confirms(bo, 1);
  await bo.sees(/(?:Not sent[\s\S]*<https:\/\/evil\.example\|Sign in> <!channel> \*now\*[\s\S]*){2}/);
  expectOnlyWords(slack, 1);
});

test('and so is what it says to somebody whose connect another process had to finish', async () => {
  const app = await setUpApp(postgres, { connected: false, isWorking: false });
  const { acme, anna, exchange, services, slack } = app;
  refuses(app, 'contacts_read');
  const draft = { baseUrl: exchange.url, username: user, apiKey };
  const trials = services.store.collection({ kind: 'connect-trial', schema: z.unknown() });
  await trials.set(acme.id, { person: anna.id, wish: draft }, { name: 'left behind', ttlMs: 60_000 });
  await connectingJob(services).run({ workspace: acme.id, trial: 'left behind' }, {} as JobContext);
  await anna.opens('Dropline');
  await anna.sees('could not be connected to the file service. ');
  expectOnlyWords(slack, 1);
});

/** Sends something that the service will refuse, when it is released. */
async function sendsInVain(app: AppSetup) {
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

const cardsOf = (person: Person) => person.messages.filter(({ text }) => text.includes('Not sent'));

test('a dispatch whose card was deleted is told in one new card, which is the card from then on', async () => {
  const app = await setUpApp(postgres);
  const { acme, bo, services, slack } = app;
  const held = await sendsInVain(app);
  const { rows } = await services.store.pool.query<{ id: string }>('select id from dropline.dispatches');
  const transfer = () => transfersIn(services.store).read(rows[0]?.id ?? '');
  const { channel = '', ts = '' } = await until(async () => (await transfer())?.details?.place, 'its card');
  const client = await services.slack.clientOf(acme.id);
  await client.chat.delete({ channel, ts });
  await held.release();
  await bo.sees('Not sent');
  await until(async () => (await transfer())?.notifiedAt, 'it to be over');
  const cards = cardsOf(bo);
  expect(cards).toHaveLength(1);
  expect((await transfer())?.details?.place?.ts).toBe(cards[0]?.ts);
  expect(slack.calls.filter(({ error }) => error === 'thread_not_found')).toEqual([]);
});

test('what was to be said in a thread whose card has just gone stands by itself', async () => {
  const app = await setUpApp(postgres);
  const { bo, slack, logged } = app;
  const held = await sendsInVain(app);
  slack.addFault({ method: 'chat.postMessage', kind: 'error', error: 'thread_not_found' });
  await held.release();
  await bo.sees(/(?:Not sent[\s\S]*){2}/);
  await slack.settled();
  expect(cardsOf(bo)).toHaveLength(2);
  expect(logged()).not.toContain('job failed');
});
