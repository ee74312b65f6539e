import { expect, test } from 'vitest';
import { makeDownloadLink } from '../../src/features/common/delivery/links.ts';
import { signIn } from '../../src/sandbox/sign-in.ts';
import { deskOf } from '../helpers/desks.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { fetchLink, setUpLinks } from './download-link.ts';

const postgres = startTestPostgres();

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
  const annas = await makeDownloadLink(services, { ...(await deskOf(services.store, acme.id)), person: anna.id }, file);
  expect(await status(annas, cookie)).toBe(403);
  expect([await status(map, cookie), await status(plan, cookie)]).toEqual([200, 200]);
});
