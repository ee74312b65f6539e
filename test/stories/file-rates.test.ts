import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();
const plan = { name: 'plan.pdf', data: 'the plan' };

test("a post isn't delayed while files.info is rate-limited", async () => {
  const { bo, slack, acme, services } = await setUpApp(postgres);
  await stages(bo, [plan]);
  const limited = slack.addFault({ method: 'files.info', kind: 'rate-limited', retryAfter: 60 });
  const stop = new AbortController();
  const lookup = services.sources.inspect(acme.id, acme.files[0]?.id ?? '', { isFresh: true, signal: stop.signal });
  await limited.triggered;
  const client = await services.slack.clientOf(acme.id);
  await client.chat.postMessage({ channel: bo.id, text: 'Another message' });
  await bo.sees('Another message');
  stop.abort();
  await expect(lookup).rejects.toThrow();
});
