import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/sending.ts';
import { sends } from './wait-in-line.ts';

const postgres = startTestPostgres();
const hour = 3_600_000;
const timing = { lateLooksMs: [hour, hour] };

/** Bo sends a plan. No answer comes, the files stay on the account, and the history shows nothing of it yet. */
async function sendsInDoubt(): Promise<AppSetup & { look(): Promise<void> }> {
  const behaviour = { uploadsAfterDispatch: 'kept' as const, historyLag: 1_000_000 };
  const app = await setUpApp(postgres, { timing, exchange: { behaviour } });
  const { bo, exchange, services } = app;
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  exchange.addFault({ operation: 'createdrop', kind: 'reset-after' });
  await sends(bo, 1);
  await bo.sees('⚠️ Probably not sent');
  const jobs =
    "select max(payload ->> 'run') as run, max(key) as key from graphile_worker._private_jobs where key like 'late-look %'";
  const pending = async () => (await services.store.pool.query<{ run: string; key: string }>(jobs)).rows[0];
  const look = async () => {
    const { run, key = '' } = (await pending()) ?? {};
    await services.queue.hurry(key);
    await until(async () => (await pending())?.run !== run || undefined, 'the look to be over');
  };
  return { ...app, look };
}

test('who sends again is warned, and learns with an admin that there are two', async () => {
  const { bo, anna, exchange, account, look } = await sendsInDoubt();
  await bo.sees("I'll keep checking the history until");
  await bo.sees('If you send it again before then, the recipients could get it twice.');
  await bo.clicks('Try again …');
  await bo.sees('Possible duplicate. You tried to send this ');
  await bo.sees('It was probably not sent.');
  exchange.behaviour.historyLag = 0;
  await bo.submits('Send 1 file to 1 person');
  await bo.sees('It is on its way.');
  await bo.closes();
  await bo.sees('✅ Sent');
  await look();
  await bo.sees('⚠️ Sent twice');
  await bo.sees('and you sent it again. Both were sent, so the recipients have it twice.');
  await anna.opens('Dropline');
  await anna.sees('A transfer to carl@example.org was sent twice.');
  await anna.sees('Sent by @Bo');
  expect(account.drops).toHaveLength(2);
});

test('what turns up is told where it was told as probably not sent, at home too', async () => {
  const { bo, anna, exchange, look } = await sendsInDoubt();
  await bo.opens('Home of Dropline');
  await bo.sees('probably not sent');
  await bo.opens('Dropline');
  exchange.behaviour.historyLag = 0;
  await look();
  await bo.sees(
    "I told you that this was probably not sent. The history now shows that it was sent. Don't send it again.",
  );
  await bo.doesNotSee('Try again …');
  // The card has changed, and a message in its thread makes a sound.
  expect(bo.messages.filter(({ text }) => text.includes('The history now shows'))).toHaveLength(2);
  await anna.opens('Dropline');
  await anna.sees('A transfer to carl@example.org was sent after all.');
});

test('who asks again before a request is known of is warned', async () => {
  const behaviour = { historyLag: 1_000_000 };
  const { bo, exchange, services, acme, anna } = await setUpApp(postgres, { timing, exchange: { behaviour } });
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { requests: true });
  exchange.addFault({ operation: 'givedrop', kind: 'reset-after' });
  const ask = async () => {
    await bo.picks('Who should send you files?', 'carl@example.org');
    await bo.fills('Message to them', 'Please send the plans.');
    await bo.submits('Next');
    await bo.sees('1 person will be able');
  };
  await bo.types('/drop request', { in: 'Dropline' });
  await ask();
  await bo.doesNotSee('Possible duplicate');
  await bo.submits('Ask 1 person');
  await bo.sees('Nobody knows whether carl@example.org can upload files');
  await bo.sees('If you ask again before then, they could be asked twice.');
  await bo.clicks('Ask carl@example.org again');
  await ask();
  await bo.sees('Possible duplicate. You tried to ask them ');
  await bo.sees('If you ask again now, they could be asked twice.');
});
