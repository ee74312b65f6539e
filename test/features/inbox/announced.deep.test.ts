import { expect, test } from 'vitest';
import { setUpInbox } from '../../helpers/inbox.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

test("an item that is missing only briefly isn't shown as expired or removed", async () => {
  const { arrive, pollAndAnnounce, poll, account, services } = await setUpInbox(postgres);
  await arrive();
  await pollAndAnnounce();
  services.timing = { ...services.timing, gonePauseMs: 4_000 };
  const gone = account.inbox.splice(0);
  await poll();
  account.inbox.push(...gone);
  expect(await pollAndAnnounce()).toEqual([]);
});
