import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { openCard } from './request.ts';
import { sendUnconfirmed, timing } from './send-unconfirmed.ts';

const postgres = startTestPostgres();

test('if an unconfirmed send is found later, its card changes; an admin is notified', async () => {
  const { bo, anna, exchange, checkHistory } = await sendUnconfirmed(postgres);
  await bo.opens('Home of Dropline');
  await bo.sees('Probably not sent');
  await bo.opens('Dropline');
  exchange.behaviour.historyLag = 0;
  await checkHistory();
  await bo.sees(
    "I told you that this was probably not sent. The history now shows that it was sent. Don't send it again.",
  );
  await bo.doesNotSee('Try again…');
  // One is the updated card, the other a message in its thread: an update alone triggers no notification.
  expect(bo.messages.filter(({ text }) => text.includes('The history now shows'))).toHaveLength(2);
  await anna.opens('Dropline');
  await anna.sees('A transfer to carl@example.org was sent after all.');
});

test('if a request with an unknown outcome is repeated, a warning is shown', async () => {
  const behaviour = { historyLag: 1_000_000 };
  const { bo, exchange, services, acme, anna } = await setUpApp(postgres, { timing, exchange: { behaviour } });
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { requests: true });
  exchange.addFault({ operation: 'givedrop', kind: 'reset-after' });
  const ask = async () => {
    await bo.picks('Request from', 'carl@example.org');
    await bo.fills('Message', 'Please send the plans.');
    await bo.submits('Review');
    await bo.sees('1 person can upload files');
  };
  await bo.types('/drop request', { in: 'Dropline' });
  await ask();
  await bo.doesNotSee('Possible duplicate');
  await bo.submits('Request from 1 person');
  await openCard(bo);
  await bo.sees('Request unconfirmed: carl@example.org');
  await bo.sees('If you ask again before then, they could be asked twice.');
  await bo.clicks('Ask again');
  await bo.sees('Possible duplicate. You tried to ask them on ');
  await bo.sees('If you ask again now, they could be asked twice.');
});
