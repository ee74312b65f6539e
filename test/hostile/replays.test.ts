import { createServer, type IncomingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, stages } from '../helpers/sending.ts';
import { serve } from '../helpers/serve.ts';

const postgres = startTestPostgres();

interface Signed {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Proxy between Slack and the bot that records requests with their signatures. */
async function eavesdrop({ url, slack }: AppSetup) {
  const heard: Signed[] = [];
  const pass = async ({ headers, body }: Signed) => {
    const signed = ['content-type', 'x-slack-signature', 'x-slack-request-timestamp'].map((name) => [
      name,
      String(headers[name]),
    ]);
    const answer = await fetch(`${url}/slack/events`, { method: 'POST', headers: Object.fromEntries(signed), body });
    return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() };
  };
  const server = createServer(async (request, response) => {
    const signed = { headers: request.headers, body: Buffer.concat(await request.toArray()) };
    heard.push(signed);
    const { status, type, text } = await pass(signed);
    response.writeHead(status, { 'content-type': type }).end(text);
  });
  slack.deliverTo(await serve(server));
  return { heard, pass };
}

/** A repeated suggestion request makes the bot read again, which changes nothing. */
const reads = ['get_history', 'contacts_read', 'index'];

/** Everything that would change if a replay had an effect. */
const stateOf = ({ account, exchange, acme, slack }: AppSetup) => ({
  drops: account.drops.length,
  contacts: account.contacts.local,
  uploads: account.uploads,
  receivers: account.receivers,
  changed: exchange.calls.filter(({ operation }) => !reads.includes(operation)).length,
  views: acme.views.length,
  said: slack.calls.filter(({ method }) => /^(chat|views|files)\./.test(method)).length,
});

test('replaying signed requests in any order has no effect', async () => {
  const setup = await setUpApp(postgres);
  const { bo, anna, atRest } = setup;
  const { heard, pass } = await eavesdrop(setup);
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.clicks('Send 1 file …');
  await bo.sees('Send files');
  await bo.picks('To', 'carl');
  await bo.submits('Check before sending');
  await bo.sees('cannot be recalled');
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  await anna.types('/drop contacts add eva@example.org 46709999999', { in: '#general' });
  await expect.poll(() => anna.messages.map(({ text }) => text).join()).toContain('Done: 1 contact added.');
  await anna.usesShortcut('Send files securely');
  await anna.sees('Check before sending');
  await atRest();
  await expect.poll(() => isQuiet(setup), { interval: 300 }).toBe(true);

  const kinds = new Set(heard.map(({ body }) => kindOf(String(body))));
  expect([...kinds]).toEqual(
    expect.arrayContaining(['command', 'event', 'shortcut', 'view_submission', 'block_actions']),
  );
  const before = stateOf(setup);
  expect(before.drops).toBe(1);
  const jobsBefore = await jobsOf(setup);
  for (const signed of [...heard, ...heard.toReversed()]) expect((await pass(signed)).status).toBeLessThan(500);
  await Promise.all(heard.map(pass));
  await atRest();
  last = '';
  await expect.poll(() => isQuiet(setup), { interval: 300 }).toBe(true);
  expect(stateOf(setup)).toEqual(before);
  expect(await jobsOf(setup)).toBeLessThanOrEqual(jobsBefore);
});

/** The number of pending jobs. */
async function jobsOf({ services }: AppSetup): Promise<number> {
  const { rows } = await services.store.pool.query('select count(*)::int as count from graphile_worker.jobs');
  return rows[0].count;
}

let last = '';

/** Whether nothing has changed since the last call. */
function isQuiet(setup: AppSetup): boolean {
  const now = JSON.stringify(stateOf(setup));
  const quiet = now === last;
  last = now;
  return quiet;
}

function kindOf(body: string): string {
  if (body.startsWith('{')) return 'event';
  const form = new URLSearchParams(body);
  const payload = form.get('payload');
  return payload === null ? 'command' : String((JSON.parse(payload) as { type: string }).type);
}
