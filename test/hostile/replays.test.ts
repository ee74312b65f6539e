import { createServer, type IncomingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, stages } from '../helpers/send-steps.ts';
import { serve } from '../helpers/serve.ts';

const postgres = startTestPostgres();

interface SignedRequest {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Puts a proxy between Slack and the bot that records requests with their signatures. */
async function recordRequests({ url, slack }: AppSetup) {
  const recorded: SignedRequest[] = [];
  const forward = async ({ headers, body }: SignedRequest) => {
    const signed = ['content-type', 'x-slack-signature', 'x-slack-request-timestamp'].map((name) => [
      name,
      String(headers[name]),
    ]);
    const answer = await fetch(`${url}/slack/events`, { method: 'POST', headers: Object.fromEntries(signed), body });
    return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() };
  };
  const server = createServer(async (request, response) => {
    const signed = { headers: request.headers, body: Buffer.concat(await request.toArray()) };
    recorded.push(signed);
    const { status, type, text } = await forward(signed);
    response.writeHead(status, { 'content-type': type }).end(text);
  });
  slack.deliverTo(await serve(server));
  return { recorded, forward };
}

/** Operations that only read. A replayed suggestion request repeats them. */
const reads = ['get_history', 'contacts_read', 'index'];

/** Returns everything that would change if a replay had an effect. */
const stateOf = ({ account, exchange, acme, slack }: AppSetup) => ({
  drops: account.drops.length,
  contacts: account.contacts.local,
  uploads: account.uploads,
  receivers: account.receivers,
  changed: exchange.calls.filter(({ operation }) => !reads.includes(operation)).length,
  views: acme.views.length,
  slackCalls: slack.calls.map(({ method }) => method).filter((method) => /^(chat|views|files)\./.test(method)),
});

test('signed requests replayed in order, in reverse or concurrently change nothing', async () => {
  const setup = await setUpApp(postgres);
  const { bo, anna, untilIdle } = setup;
  const { recorded, forward } = await recordRequests(setup);
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.clicks('Send 1 file…');
  await bo.sees('Send files');
  await bo.picks('To', 'carl');
  await bo.submits('Review');
  await bo.sees("can't be recalled");
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  await anna.types('/drop contacts add eva@example.org 46709999999', { in: '#general' });
  await expect.poll(() => anna.messages.map(({ text }) => text).join()).toContain('Contact added.');
  await anna.usesShortcut('Send files securely');
  await anna.sees('Review');
  await untilIdle();
  await expect.poll(() => compareAndRecordState(setup), { interval: 300 }).toBe(true);

  const kinds = new Set(recorded.map(({ body }) => kindOf(String(body))));
  expect([...kinds]).toEqual(
    expect.arrayContaining(['command', 'event', 'shortcut', 'view_submission', 'block_actions']),
  );
  const before = stateOf(setup);
  expect(before.drops).toBe(1);
  const jobsBefore = await countJobs(setup);
  for (const signed of [...recorded, ...recorded.toReversed()])
    expect((await forward(signed)).status).toBeLessThan(500);
  await Promise.all(recorded.map(forward));
  await untilIdle();
  lastState = '';
  await expect.poll(() => compareAndRecordState(setup), { interval: 300 }).toBe(true);
  expect(stateOf(setup)).toEqual(before);
  expect(await countJobs(setup)).toBeLessThanOrEqual(jobsBefore);
});

async function countJobs({ services }: AppSetup): Promise<number> {
  const { rows } = await services.store.pool.query('select count(*)::int as count from graphile_worker.jobs');
  return rows[0].count;
}

let lastState = '';

/** Records the state and returns whether it is the same as at the last call. */
function compareAndRecordState(setup: AppSetup): boolean {
  const now = JSON.stringify(stateOf(setup));
  const isSame = now === lastState;
  lastState = now;
  return isSame;
}

function kindOf(body: string): string {
  if (body.startsWith('{')) return 'event';
  const form = new URLSearchParams(body);
  const payload = form.get('payload');
  return payload === null ? 'command' : String((JSON.parse(payload) as { type: string }).type);
}
