import { expect, test } from 'vitest';
import { fetchFile } from '../../src/features/inbox/download/operations.ts';
import { listInbox } from '../helpers/inbox.ts';
import type { InboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { gone, tryIds } from '../hostile/other-channels.ts';
import { fetchLink, setUpLinks } from './download-link.ts';
import { fillLegal, looksAt, type PrivateChannel, screens, secret, withPrivateChannel } from './private-channel.ts';

const postgres = startTestPostgres();

const unknown = "Slack didn't say who is in the channel of this file.";
const refused = "You can't download files in this workspace.";

interface End {
  text: string;
  /** Ends what Bo could see as a member of #legal. Resolves with what undoes that. */
  begin(app: InboxApp & PrivateChannel): Promise<() => unknown> | (() => unknown);
  /** If there is no list at all. */
  hasNoList?: true;
}

/** What can happen to a member, to Slack, and to the channel. */
const ends: Record<string, End> = {
  'has left the channel': {
    text: gone,
    begin({ legal, bo }) {
      legal.remove(bo);
      return () => legal.add(bo);
    },
  },
  "can't download any more": {
    text: refused,
    hasNoList: true,
    async begin({ changeSettings }) {
      await changeSettings({ downloaders: 'admins' });
      return () => changeSettings({ downloaders: 'everyone' });
    },
  },
  "is in a channel whose members Slack doesn't list": {
    text: unknown,
    begin({ hidesMembers }) {
      const { remove } = hidesMembers();
      return remove;
    },
  },
  'is in an archived channel': {
    text: gone,
    begin({ legal }) {
      legal.archive();
      return () => legal.unarchive();
    },
  },
  'is in a channel shared with another organisation': {
    text: gone,
    begin({ legal }) {
      legal.share();
      return () => legal.unshare();
    },
  },
  'is in a channel without me': {
    text: gone,
    begin({ legal }) {
      legal.remove('app');
      return () => legal.add('app');
    },
  },
};

test.each(Object.entries(ends))('someone who %s reaches nothing', async (_, { text, begin, hasNoList }) => {
  const app = await withPrivateChannel(setUpLinks, postgres);
  const { acme, bo, exchange, services, arrivesInLegal, changeLegal, linkTo, untilIdle } = app;
  await changeLegal({ delivery: 'link' });
  const ids = await fillLegal(app);
  const actor = { workspace: acme.id, person: bo.id };
  const [item] = (await listInbox(services, actor)).filter(({ files }) => files.includes(secret));
  await arrivesInLegal(['read.pdf', 'linked.pdf']);
  const [used, link] = [await linkTo('read.pdf', bo, '#legal'), await linkTo('linked.pdf', bo, '#legal')];
  expect((await fetchLink(used, 'POST')).status).toBe(200);
  await untilIdle();
  expect(await looksAt(app, bo, 'list')).toMatch(/Downloaded by @Bo/);
  const undo = await begin(app);
  const calls = exchange.calls.length;

  for (const name of hasNoList === true ? ['home', 'card'] : Object.keys(screens))
    expect(await looksAt(app, bo, name), name).not.toMatch(/secret\.pdf|from lea@|Downloaded by|\[My items\]/);
  expect(await tryIds(app, bo, ids, text)).toEqual([]);
  const { status, body } = await fetchLink(link, 'POST');
  expect(status).not.toBe(200);
  expect(String(body)).not.toContain('bytes of linked.pdf');
  let isRead = false;
  const read = async () => {
    isRead = true;
  };
  const file = { url: item?.url ?? '', name: secret };
  const options = { signal: AbortSignal.timeout(60_000), onDigest() {} };
  await expect(fetchFile(services, actor, file, read, options)).rejects.toThrow(text);
  expect(isRead).toBe(false);
  expect(exchange.calls.slice(calls).filter(({ operation }) => operation === 'download')).toEqual([]);

  await undo();
  expect(await looksAt(app, bo, 'list')).toContain(secret);
});
