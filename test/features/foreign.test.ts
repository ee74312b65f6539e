import { expect, test } from 'vitest';
import type { Exchange } from '../../src/exchange/index.ts';
import { makeContact } from '../../src/exchange/index.ts';
import { confirmDispatch, prepareAgain, removeForeignAndSend } from '../../src/features/send/operations.ts';
import { failureOf, fileOf } from '../helpers/exchange.ts';
import { admin, anna, bo, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();
const stranger = makeContact({ email: 'mallory@example.org', number: '46799999999' });

test('a file on the account that is not ours stops a dispatch before anything is uploaded; it is never sent', async () => {
  const { account, services, shelf, send, work, ended, server } = await setUpFeatures(postgres);
  await services
    .connectTo({ baseUrl: server.url, username: account.user, apiKey: account.apiKey })
    .upload(fileOf('secret.doc', 'S'));
  await work();
  server.calls.length = 0;
  shelf.put('F1', 'plan.pdf', 'the plan');
  const stopped = await send(anna, { files: ['F1'], receivers: ['carl@example.org'] });
  expect(stopped).toMatchObject({
    state: 'failed',
    details: { result: { code: 'foreign-files', names: ['secret.doc'] } },
  });
  expect(server.calls.filter(({ operation }) => operation === 'upload')).toEqual([]);
  expect(account.drops).toEqual([]);
  expect(account.uploads.map(({ name }) => name)).toEqual(['secret.doc']);

  expect(await failureOf(removeForeignAndSend(services, bo, stopped.id))).toMatchObject({ code: 'not-allowed' });
  const elsewhere = { workspace: 'T2', person: admin.person };
  expect(await failureOf(removeForeignAndSend(services, elsewhere, stopped.id))).toMatchObject({ code: 'not-found' });
  const { id } = await removeForeignAndSend(services, admin, stopped.id);
  expect(await failureOf(removeForeignAndSend(services, admin, stopped.id))).toMatchObject({ code: 'used' });
  expect(await ended(id)).toMatchObject({ state: 'sent', person: anna.person });
  expect(account.drops.map(({ files }) => files.map(({ name }) => name))).toEqual([['plan.pdf']]);
});

test('what a foreign file has stopped is sent once, by its sender or by an admin', async () => {
  const { services, shelf, work, send, server, account, ended } = await setUpFeatures(postgres);
  const foreign = services.connectTo({ baseUrl: server.url, username: account.user, apiKey: account.apiKey });
  await foreign.upload(fileOf('secret.doc', 'S'));
  await work();
  shelf.put('F1', 'plan.pdf', 'the plan');
  const stopped = await send(anna, { files: ['F1'], receivers: ['carl@example.org'] });
  await foreign.removeFile('secret.doc');
  const again = await prepareAgain(services, anna, stopped.id);
  const { id } = await confirmDispatch(services, anna, again.confirmation);
  expect(await ended(id)).toMatchObject({ state: 'sent' });
  expect(await failureOf(removeForeignAndSend(services, admin, stopped.id))).toMatchObject({ code: 'used' });
  expect(account.drops).toHaveLength(1);
});

/** Something that another program does on the account, at each call of a dispatch in turn. */
const acts: Record<string, (foreign: Exchange) => Promise<void>> = {
  'uploads a file': (foreign) => foreign.upload(fileOf('stranger.exe', 'X')),
  'replaces a file of ours by one of the same name': async (foreign) => {
    await foreign.removeFile('plan.pdf').catch(() => {});
    await foreign.upload(fileOf('plan.pdf', 'something much longer than the plan ever was'));
  },
  'sets its own receiver': (foreign) => foreign.setReceivers([stranger]),
  'removes our files': (foreign) => foreign.removeFile('plan.pdf').catch(() => {}),
  'sends what is there to whoever is set': (foreign) =>
    foreign.createDispatch({ timeToLive: 1, message: 'not ours' }).catch(() => {}),
};
const points = [
  'readContacts',
  'listFiles',
  'readHistory',
  'upload',
  'setReceivers',
  'createDispatch',
] as const satisfies (keyof Exchange)[];

for (const [what, act] of Object.entries(acts)) {
  test.each(points)(
    `when another program ${what} just before the last %s, nothing foreign is sent silently`,
    async (point) => {
      let last = 0;
      let seen = 0;
      let armed = false;
      const setup = await setUpFeatures(postgres, {
        wrap: (exchange) => ({
          ...exchange,
          [point]: async (...args: never[]) => {
            if (armed) seen += 1;
            if (armed && seen === last) await act(exchange);
            return (exchange[point] as (...all: never[]) => Promise<unknown>)(...args);
          },
        }),
      });
      const { account, shelf, send, work, heard } = setup;
      await work();
      shelf.put('F1', 'plan.pdf', 'the plan');
      const wish = { files: ['F1'], receivers: ['carl@example.org'], message: 'Hi' };
      // A dispatch that nobody disturbs tells which call is the last of its kind before the commit.
      armed = true;
      await send(bo, wish);
      last = before(point, seen);
      seen = 0;
      const { state, details } = await send(anna, wish);
      armed = false;
      const own = account.drops.slice(1).filter(({ message }) => message === 'Hi');
      const right = own.filter(
        ({ files, receivers }) =>
          files.length === 1 &&
          files[0]?.bytes === 8 &&
          receivers.length === 1 &&
          receivers[0]?.email === 'carl@example.org',
      );
      const isAlarmed = heard.alarms.some(({ kind }) => kind === 'difference');
      expect(own.length).toBeLessThanOrEqual(1);
      // Either just what was confirmed was sent, or nothing was, or it was noticed and said.
      // But for a file of the same name that comes after the last look: neither list nor history would show it.
      const isUnseen = what === 'replaces a file of ours by one of the same name' && point === 'createDispatch';
      if (own.length > 0 && right.length === 0 && !isUnseen) {
        expect({ state, isAlarmed }).toEqual({ state: 'sent', isAlarmed: true });
        expect(details?.difference).toBeDefined();
      }
      if (own.length === 0) expect(state !== 'sent' || isAlarmed).toBe(true);
      // A foreign drop that took our file along is said too, or the sender is told that files disappeared.
      const foreignDrop = account.drops
        .slice(1)
        .some(({ message, files }) => message === 'not ours' && files.length > 0);
      if (foreignDrop) expect(isAlarmed || details?.result?.names.includes('plan.pdf')).toBe(true);
    },
  );
}

/** Calls of that kind up to the commit, in a dispatch of one file: afterwards the history is read and all is cleaned up. */
function before(point: (typeof points)[number], seen: number): number {
  const afterwards = { readContacts: 0, listFiles: 1, readHistory: 1, upload: 0, setReceivers: 1, createDispatch: 0 };
  return seen - afterwards[point];
}
