import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, reviews, stages } from '../helpers/send-steps.ts';
import { fetchLink, setUpLinks } from './download-link.ts';
import { buttonsNamed, plan, untilPlain } from './stale-buttons.ts';

const postgres = startTestPostgres();

test('the buttons Continue and Send disappear once the draft is sent', async () => {
  const { bo } = await setUpApp(postgres);
  await stages(bo, [plan]);
  await reviews(bo);
  await bo.closes();
  await bo.sees('Nothing was sent. Your draft is saved.');
  await bo.clicks('Continue');
  await bo.submits('Review');
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  await untilPlain(bo, 'Nothing was sent. Your draft is saved.');
  await untilPlain(bo, 'Ready to send: plan.pdf.');
});

test('a download link that was used loses its button', async () => {
  const { bo, arrive, linkTo } = await setUpLinks(postgres);
  await arrive('carl@example.org', ['plan.pdf']);
  const link = await linkTo('plan.pdf');
  expect((await fetchLink(link, 'GET')).status).toBe(200);
  expect(buttonsNamed(bo, 'Open download page')).toBe(1);
  expect((await fetchLink(link, 'POST')).status).toBe(200);
  await untilPlain(bo, 'Your link to “plan.pdf” from carl@example.org has been used.');
});
