import { expect, test } from 'vitest';
import { makeDownloadLink } from '../../src/features/common/delivery/links.ts';
import { cookieOf, followRedirect, opensPage, signIn, signsInAt } from '../../src/sandbox/sign-in.ts';
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

test('one sign-in opens all download links of one person for ten minutes', async () => {
  const { anna, bo, addItem, linkTo, services, acme } = await setUpLinks(postgres);
  await addItem('carl@example.org', ['plan.pdf', 'map.png']);
  const [plan, map] = [await linkTo('plan.pdf'), await linkTo('map.png')];
  const status = async (link: string, cookie: string) => (await fetchLink(link, 'POST', cookie)).status;
  const cookie = await signIn(plan, bo);
  expect(cookie).toMatch(/^dropline-d=[\w-]{43}\.\d+\.[\w-]+$/);
  const [secret = '', until = '', proof = ''] = cookie.replace('dropline-d=', '').split('.');
  expect(Number(until)).toBeLessThanOrEqual(Date.now() + 600_000);
  for (const forged of [`${secret}.${Number(until) + 1}.${proof}`, `${'A'.repeat(43)}.${until}.${proof}`, secret])
    expect(await status(map, `dropline-d=${forged}`), forged).toBe(403);
  const file = { url: 'x', name: 'plan.pdf' };
  const annas = await makeDownloadLink(services, { workspace: acme.id, person: anna.id }, file);
  expect(await status(annas, cookie)).toBe(403);
  expect([await status(map, cookie), await status(plan, cookie)]).toEqual([200, 200]);
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
