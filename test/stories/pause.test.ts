import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { metricsRoutes } from '../../src/process/health.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { reviews, stages } from '../helpers/send-steps.ts';
import { serve } from '../helpers/serve.ts';
import { fetchLink, setUpLinks } from './download-link.ts';
import { pauses, reason, resumes } from './pause.ts';
import { queueBehindAnna } from './send.ts';

const postgres = startTestPostgres();

test('a pause stops queued and running transfers, which are sent in order when resumed', async () => {
  const app = await setUpApp(postgres);
  const { acme, anna, bo, account, services, untilIdle, logged } = app;
  const slow = await queueBehindAnna(app);
  await pauses(anna, 'sending');
  await bo.sees(`Paused by an admin: ${reason}`);
  await slow.release();
  await untilIdle();
  expect(account.drops).toEqual([]);
  expect(await services.queue.size()).toBe(0);
  expect(logged()).toMatch(new RegExp(`"workspace":"${acme.id}","person":"${anna.id}".*waits because of a pause`));
  await bo.opens('Home of Dropline');
  await bo.sees(`⚠️ Sending is paused by an admin: ${reason}`);
  await bo.sees(/second\.txt to dora@example\.net: paused/);
  await bo.types('/drop status', { in: '#general' });
  await bo.sees(`⚠️ Sending is paused by an admin: ${reason}`);
  await resumes(anna, 'sending');
  await bo.closes();
  await bo.opens('Dropline');
  await bo.sees('✅ Sent');
  await untilIdle();
  expect(account.drops.map(({ files }) => files.map(({ name }) => name))).toEqual([['first.txt'], ['second.txt']]);
  const url = await serve(createServer(metricsRoutes(services, 'web', undefined, undefined)));
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(/^dropline_paused_workspaces\{target="sending"\} 0$/m);
  expect(metrics).toMatch(/^dropline_pauses_total\{target="sending",change="resumed"\} \d+$/m);
  await anna.reloads();
  await anna.types('/drop audit', { in: '#general' });
  await anna.sees(/paused sending\nreason: Audit until Friday/);
});

test('while sending is paused, a draft can be edited and reviewed but not confirmed', async () => {
  const { anna, bo, account } = await setUpApp(postgres);
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(bo);
  await pauses(anna, 'sending');
  await bo.submits('Send 1 file to 1 person');
  await bo.sees(`Sending is paused by an admin: ${reason}`);
  await bo.reloads();
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.sees(`⚠️ Sending is paused by an admin: ${reason}`);
  await bo.fills('Message', 'Later');
  await bo.submits('Review');
  await bo.sees("can't be recalled");
  await bo.sees(`⚠️ Sending is paused by an admin: ${reason}`);
  await bo.sees("You can't send this until an admin resumes sending.");
  for (const button of ['[Send 1 file', '[Resume']) expect(bo.screen()).not.toContain(button);
  await bo.closes();
  await resumes(anna, 'sending');
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.sees('Message (optional): Later');
  await bo.submits('Review');
  await bo.submits('Send 1 file to 1 person');
  await bo.sees('✅ Sent');
  expect(account.drops).toMatchObject([{ message: 'Later' }]);
});

test('while downloads are paused, clicks and link pages show the reason', async () => {
  const { anna, bo, addItem, linkTo, exchange } = await setUpLinks(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  const link = await linkTo('plan.pdf');
  await pauses(anna, 'downloads');
  await bo.opens('#inbox');
  await bo.clicks('Download plan.pdf');
  await bo.sees(`Downloads are paused by an admin: ${reason}`);
  for (const method of ['GET', 'POST'] as const) {
    const page = await fetchLink(link, method);
    expect(page.status).toBe(503);
    expect(String(page.body)).toContain(`Downloads are paused by an admin: ${reason}`);
  }
  await addItem('dora@example.net', ['other.pdf']);
  await bo.sees('other.pdf');
  expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);
  await resumes(anna, 'downloads');
  expect(String((await fetchLink(link, 'POST')).body)).toBe('bytes of plan.pdf');
});
