import { expect } from 'vitest';
import { type Exchange, makeContact } from '../../src/exchange/index.ts';
import { fileOf } from '../helpers/exchange.ts';
import { anna, bo, setUpFeatures } from '../helpers/features.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

const stranger = makeContact({ email: 'mallory@example.org', number: '46799999999' });

/** Actions of another client on the account while a file is sent. */
export const clientActions = {
  'uploads a file': (client: Exchange) => client.upload(fileOf('stranger.exe', 'X')),
  'overwrites our file': async (client: Exchange) => {
    await client.removeFile('plan.pdf').catch(() => {});
    await client.upload(fileOf('plan.pdf', 'something much longer than the plan ever was'));
  },
  'sets its own recipient': (client: Exchange) => client.setReceivers([stranger]),
  'removes our files': (client: Exchange) => client.removeFile('plan.pdf').catch(() => {}),
  'sends all uploads': (client: Exchange) =>
    client.createDispatch({ expiresAfter: 1, message: 'not ours' }).catch(() => {}),
} satisfies Record<string, (client: Exchange) => Promise<void>>;

/** The other client acts right before the last call of one of these kinds. */
export const interceptedCalls = [
  'readContacts',
  'listFiles',
  'readHistory',
  'upload',
  'setReceivers',
  'createDispatch',
] as const satisfies (keyof Exchange)[];

export type ClientAction = keyof typeof clientActions;
export type InterceptedCall = (typeof interceptedCalls)[number];

/** Expects that a change by the other client stops the transfer or is reported. */
export async function disturbTransfer(
  postgres: TestPostgres,
  action: ClientAction,
  call: InterceptedCall,
): Promise<void> {
  let actionAt = 0;
  let calls = 0;
  let isCounting = false;
  const setup = await setUpFeatures(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      [call]: async (...args: never[]) => {
        if (isCounting) calls += 1;
        if (isCounting && calls === actionAt) await clientActions[action](exchange);
        return (exchange[call] as (...all: never[]) => Promise<unknown>)(...args);
      },
    }),
  });
  const { account, sourceFiles, send, startWorker, notifications } = setup;
  await startWorker();
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const draft = { files: ['F1'], recipients: ['carl@example.org'], message: 'Hi' };
  // An undisturbed transfer shows which call is the last of its kind before the commit.
  isCounting = true;
  await send(bo, draft);
  actionAt = callsBeforeCommit(call, calls);
  calls = 0;
  const { state, progress } = await send(anna, draft);
  isCounting = false;
  const ownDrops = account.drops.slice(1).filter(({ message }) => message === 'Hi');
  const asConfirmed = ownDrops.filter(
    ({ files, receivers }) =>
      files.length === 1 &&
      files[0]?.bytes === 8 &&
      receivers.length === 1 &&
      receivers[0]?.email === 'carl@example.org',
  );
  const isAlarmed = notifications.alarms.some(({ kind }) => kind === 'difference');
  expect(ownDrops.length).toBeLessThanOrEqual(1);
  // Either the confirmed transfer was sent, or nothing, or the difference was reported. The exception is a file that is
  // replaced by one of the same name after the last check: neither the list nor the history shows that.
  const isUnseen = action === 'overwrites our file' && call === 'createDispatch';
  if (ownDrops.length > 0 && asConfirmed.length === 0 && !isUnseen) {
    expect({ state, isAlarmed }).toEqual({ state: 'sent', isAlarmed: true });
    expect(progress.difference).toBeDefined();
  }
  if (ownDrops.length === 0) expect(state !== 'sent' || isAlarmed).toBe(true);
  // If the other client sent our file, that is reported, or the sender learns that files disappeared.
  const hasOtherClientSent = account.drops
    .slice(1)
    .some(({ message, files }) => message === 'not ours' && files.length > 0);
  if (hasOtherClientSent) expect(isAlarmed || progress.result?.names.includes('plan.pdf')).toBe(true);
}

/**
 * Returns how many of the calls happen up to the commit of a transfer of one file. Later ones read the history and
 * clean up.
 */
function callsBeforeCommit(call: InterceptedCall, calls: number): number {
  const afterwards = { readContacts: 0, listFiles: 1, readHistory: 1, upload: 0, setReceivers: 1, createDispatch: 0 };
  return calls - afterwards[call];
}
