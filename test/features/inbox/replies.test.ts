import { expect, test } from 'vitest';
import { anna } from '../../helpers/features.ts';
import { setUpInbox } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { insertRequest, requests } from './replies.ts';

const postgres = startTestPostgres();

test('a reply goes only to the requester, whatever else arrives', async () => {
  const setup = await setUpInbox(postgres);
  const { arrive, pollAndAnnounce } = setup;
  const { id, take } = await insertRequest(setup, anna.person, 'Carl@Example.org');
  await take('accept', 'sent');
  for (let count = 0; count < 12; count += 1) await arrive();
  const reply = await arrive('carl@example.ORG');
  const [first, second, ...more] = await pollAndAnnounce();
  expect(more).toEqual([]);
  expect(first).toMatchObject({
    kind: 'item',
    items: [{ url: reply.url }],
    requestMatch: { kind: 'reply', requests: [{ id, person: anna.person, location: { channel: 'D1', ts: id } }] },
  });
  expect(second).toMatchObject({ kind: 'many' });
  expect(second?.items).toHaveLength(12);
});

test.each(requests)('if a request %s, a reply to it counts as %s', async (_, kind, prepare) => {
  const setup = await setUpInbox(postgres);
  await prepare(await insertRequest(setup, anna.person, 'carl@example.org'), setup);
  await setup.arrive('carl@example.org');
  expect((await setup.pollAndAnnounce()).map(({ requestMatch }) => requestMatch?.kind)).toEqual([kind]);
});
