import { expect, test } from 'vitest';
import { cookieOf, followRedirect, opensPage, signsInAt } from '../../src/sandbox/sign-in.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { fetchLink, setUpLinks } from './download-link.ts';

const postgres = startTestPostgres();

test('only the person who asked for a download link can use it, after a sign-in', async () => {
  const { anna, bo, addItem, linkTo, exchange, logged } = await setUpLinks(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  const link = await linkTo('plan.pdf');
  await bo.sees('Only you can use it: the page asks you to sign in with Slack.');
  const { address, cookie, text } = await opensPage(link);
  expect(text).not.toContain('plan.pdf');
  expect(text).not.toContain('<button>');
  expect((await fetchLink(link, 'POST', cookie)).status).toBe(403);

  const refused = await followRedirect(await signsInAt(address, anna), cookie);
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("This link isn't yours")]);
  expect(refused.headers.getSetCookie()).toEqual([]);
  const warning = JSON.parse(/.*opened by another person.*/.exec(logged())?.[0] ?? '{}');
  expect(warning).toMatchObject({ operation: 'download', person: bo.id, signedIn: { person: anna.id } });
  expect((await fetchLink(link, 'POST', cookie)).status).toBe(403);
  expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);

  const { address: again } = await opensPage(link, cookie);
  const accepted = await followRedirect(await signsInAt(again, bo), cookie);
  expect([accepted.status, accepted.headers.get('location')]).toEqual([303, link]);
  const page = await fetchLink(link, 'GET', cookieOf(accepted));
  expect(String(page.body)).toContain('This link works once, for ten minutes, and only for you.');
  expect(page.headers['referrer-policy']).toBe('no-referrer');
  expect(page.headers['cache-control']).toBe('no-store');
  const file = await fetchLink(link, 'POST', cookieOf(accepted));
  expect([file.status, String(file.body)]).toEqual([200, 'bytes of plan.pdf']);
});

test('without a client id, the message and the page say that anyone can use the link', async () => {
  const { bo, addItem, linkTo } = await setUpLinks(postgres, { socketMode: true });
  await addItem('carl@example.org', ['plan.pdf']);
  const link = await linkTo('plan.pdf');
  await bo.sees("Don't share it: anyone who has it can download the file.");
  const page = String((await fetchLink(link, 'GET')).body);
  expect(page).toContain("Don't share it: anyone who has it can download the file.");
  expect((await fetchLink(link, 'POST')).status).toBe(200);
});
