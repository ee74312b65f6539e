import { expect, test } from 'vitest';
import { fileIdOf } from '../../src/features/common/ids.ts';
import { forgerFor } from '../helpers/forgery.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { fetchLink, setUpLinks } from '../stories/download-link.ts';
import { fillLegal, secret, withPrivateChannel } from '../stories/private-channel.ts';
import { gone, itemsIn, tryIds } from './other-channels.ts';

const postgres = startTestPostgres();

test('admins, former members, and members while Slack fails reach no item by its id', async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  const { anna, bo, acme, exchange, legal, hidesMembers, untilIdle } = app;
  const ids = await fillLegal(app);
  await untilIdle();
  const before = await itemsIn(app);
  expect(await tryIds(app, anna, ids, gone)).toEqual([]);
  const forger = await forgerFor(anna, acme, anna);
  await forger.clicks('inbox.clean', { value: JSON.stringify({ item: ids.open, file: fileIdOf(secret) }) });
  await anna.sees(gone);
  await anna.reloads();
  legal.remove(bo);
  expect(await tryIds(app, bo, ids, gone)).toEqual([]);
  legal.add(bo);
  hidesMembers();
  expect(await tryIds(app, bo, ids, "Slack didn't say who is in the channel of this file.")).toEqual([]);
  await untilIdle();
  expect(await itemsIn(app)).toEqual(before);
  expect(acme.files).toEqual([]);
  expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);
});

test('wildcards and pages beyond the end show and count nothing of another channel', async () => {
  const app = await withPrivateChannel(setUpInboxApp, postgres);
  const { anna, cleo, acme, legal, arrivesInLegal } = app;
  await arrivesInLegal([secret, 'other.pdf']);
  for (const words of ['%', '*', '_', '.*', legal.id, 'admins', 'lea']) {
    await cleo.types(`/drop inbox ${words}`, { in: 'Dropline' });
    await cleo.sees('No results for');
    expect(cleo.screen()).not.toMatch(/secret\.pdf|lea@law\.example/);
    await cleo.reloads();
  }
  const forger = await forgerFor(cleo, acme, anna);
  for (const page of [0, 1, 99, -1]) {
    await forger.clicks('inbox.page', { value: String(page), metadata: JSON.stringify({ page: Math.max(0, page) }) });
    await cleo.sees('Your inbox is empty.');
    expect(cleo.screen()).not.toMatch(/secret\.pdf|lea@law\.example|\d items?/);
  }
  for (const value of ['%', '*', '', legal.id, 'admins']) {
    await forger.clicks('inbox.files', { value });
    await cleo.sees(gone);
  }
});

test('old messages, modals and links are of no use after leaving the channel', async () => {
  const app = await withPrivateChannel(setUpLinks, postgres);
  const { dan, legal, exchange, acme, arrivesInLegal, changeLegal, linkTo } = app;
  await changeLegal({ delivery: 'link' });
  await arrivesInLegal([{ name: secret, data: Buffer.alloc(300_000) }]);
  const link = await linkTo(secret, dan, '#legal');
  await changeLegal({ delivery: 'private' });
  exchange.addFault({ operation: 'download', kind: 'reset-during' });
  await dan.opens('#legal');
  await dan.clicks(`Download ${secret}`);
  await dan.opens('Dropline');
  await dan.sees("couldn't be downloaded");
  await dan.types('/drop inbox');
  await dan.sees('1 item, newest first');
  legal.remove(dan);
  await dan.clicks(`Download ${secret}`);
  await dan.sees(gone);
  await dan.closes();
  await dan.clicks('Try again');
  await dan.sees(gone);
  const { status, body } = await fetchLink(link, 'POST');
  expect([status, String(body)]).toEqual([404, expect.stringContaining(gone)]);
  expect(acme.files).toEqual([]);
});
