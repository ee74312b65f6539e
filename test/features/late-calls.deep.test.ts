import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Actor } from '../../src/features/common/services.ts';
import type { TransferServices } from '../../src/features/transfers/kind.ts';
import { cancelTransfer } from '../../src/features/transfers/lifecycle/operations.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/send/operations.ts';
import type { Fault, FaultKind } from '../../src/sandbox/exchange/index.ts';
import { anna, bo, type FeaturesSetup, setUpFeatures, sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

interface LateSetup extends FeaturesSetup {
  confirm(actor: Actor, file: string, recipient: string): Promise<string>;
  withLongPause(services: TransferServices): TransferServices;
  /** Carries out the late call after a second, when a transfer that didn't wait for it would be ready to send. */
  completeLate(late: Fault): Promise<void>;
}

/** createDispatch waits so that the late call is carried out right before it, which is the worst moment. */
async function setUpLate(): Promise<LateSetup> {
  let markCompleted = () => {};
  const completed = new Promise<void>((resolve) => {
    markCompleted = resolve;
  });
  const setup = await setUpFeatures(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      async createDispatch(parameters, options) {
        await completed;
        await exchange.createDispatch(parameters, options);
      },
    }),
  });
  const { services, sourceFiles } = setup;
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  sourceFiles.put('F2', 'map.png', 'the map');
  return {
    ...setup,
    async confirm(actor, file, recipient) {
      const draft = { files: [file], recipients: [recipient], groups: [], message: actor.person, expiresAfter: 7 };
      const { reviewId } = await prepareSend(services, actor, draft);
      await confirmSend(services, actor, reviewId);
      return reviewId;
    },
    withLongPause: (own) => ({ ...own, timing: { ...own.timing, reconcilePauseMs: 2_500 } }),
    async completeLate(late) {
      await sleep(1_000);
      await late.release();
      markCompleted();
    },
  };
}

/** Adds a fault to the second call; the first one clears the recipients before anything is uploaded. */
function faultOnRecipients({ server }: FeaturesSetup, kind: FaultKind): Fault {
  const clearing = server.addFault({ operation: 'receivers_set', kind: 'delay' });
  void clearing.triggered.then(() => clearing.release());
  return server.addFault({ operation: 'receivers_set', kind });
}

const dropsOf = ({ account }: FeaturesSetup) =>
  account.drops.map(({ receivers: recipients, files }) => ({
    recipients: recipients.map(({ email }) => email),
    files: files.map(({ sha256: sum }) => sum),
  }));
const onlyTheSecond = [{ recipients: ['dora@example.net'], files: [sha256('the map')] }];

test.each<[string, (setup: FeaturesSetup) => Fault]>([
  ['the recipients', (setup) => faultOnRecipients(setup, 'process-later')],
  ['the files', ({ server }) => server.addFault({ operation: 'upload', kind: 'process-later' })],
])("%s of a failed transfer that arrive late don't get into the next transfer", async (_, addLateFault) => {
  const setup = await setUpLate();
  const { services, startWorker, confirm, untilEnded, notifications } = setup;
  const late = addLateFault(setup);
  await startWorker({ services: setup.withLongPause(services) });
  const first = await confirm(anna, 'F1', 'carl@example.org');
  await late.triggered;
  const second = await confirm(bo, 'F2', 'dora@example.net');
  await setup.completeLate(late);
  expect(await untilEnded(first)).toMatchObject({ state: 'failed' });
  expect(await untilEnded(second)).toMatchObject({ state: 'sent' });
  expect(dropsOf(setup)).toEqual(onlyTheSecond);
  expect(notifications.progress.filter(({ phase }) => phase === 'stopping')).toHaveLength(1);
});

test("recipients set by a cancelled transfer don't get the next transfer", async () => {
  const setup = await setUpLate();
  const { services, startWorker, confirm, untilEnded } = setup;
  const late = faultOnRecipients(setup, 'delay');
  await startWorker({ services: setup.withLongPause(services) });
  const first = await confirm(anna, 'F1', 'carl@example.org');
  await late.triggered;
  await cancelTransfer(services, anna, first);
  const second = await confirm(bo, 'F2', 'dora@example.net');
  await setup.completeLate(late);
  expect(await untilEnded(first)).toMatchObject({ state: 'cancelled' });
  expect(await untilEnded(second)).toMatchObject({ state: 'sent' });
  expect(dropsOf(setup)).toEqual(onlyTheSecond);
});

test("recipients set by a stopped worker don't get the next transfer", async () => {
  const setup = await setUpLate();
  const { store, startWorker, confirm, untilEnded, openAnotherStore, otherServices } = setup;
  const late = faultOnRecipients(setup, 'delay');
  const firstWorker = await startWorker();
  const first = await confirm(anna, 'F1', 'carl@example.org');
  await late.triggered;
  await firstWorker.stop(0);
  await store.pool.query(`update graphile_worker._private_jobs set run_at = now() + interval '1 hour' where key = $1`, [
    `send ${first}`,
  ]);
  const second = await confirm(bo, 'F2', 'dora@example.net');
  const next = await openAnotherStore();
  await startWorker({ store: next, services: setup.withLongPause(otherServices(next)) });
  await setup.completeLate(late);
  expect(await untilEnded(second)).toMatchObject({ state: 'sent' });
  expect(dropsOf(setup)).toEqual(onlyTheSecond);
});

test('recipients set by an interrupted attempt arrive before the transfer is sent', async () => {
  let complete = async () => {};
  let sends = 0;
  const setup = await setUpFeatures(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      // The worst moment, if the transfer after it has come that far.
      async createDispatch(parameters, options) {
        sends += 1;
        if (sends === 2) await complete();
        await exchange.createDispatch(parameters, options);
      },
    }),
  });
  const { services, sourceFiles, startWorker, untilEnded, openAnotherStore, otherServices } = setup;
  const confirm = async (actor: Actor, files: string[], recipient: string) => {
    const draft = { files, recipients: [recipient], groups: [], message: '', expiresAfter: 7 };
    return (await confirmSend(services, actor, (await prepareSend(services, actor, draft)).reviewId)).id;
  };
  const late = faultOnRecipients(setup, 'delay');
  complete = () => late.release();
  const firstWorker = await startWorker();
  const first = await confirm(anna, [sourceFiles.put('F1', 'plan.pdf', 'the plan')], 'carl@example.org');
  await late.triggered;
  await firstWorker.stop(0);
  // The engine runs it again at once.
  const now = 'update graphile_worker._private_jobs set run_at = $2 where key = $1';
  await services.store.pool.query(now, [`send ${first}`, new Date(0)]);
  const second = await confirm(bo, [sourceFiles.put('F2', 'map.png', 'the map')], 'dora@example.net');
  const next = otherServices(await openAnotherStore());
  await startWorker({ store: next.store, services: { ...next, timing: { ...next.timing, reconcilePauseMs: 2_500 } } });
  await sleep(1_500);
  await complete();
  expect(await untilEnded(first)).toMatchObject({ state: 'sent' });
  expect(await untilEnded(second)).toMatchObject({ state: 'sent' });
  expect(dropsOf(setup)).toEqual([{ recipients: ['carl@example.org'], files: [sha256('the plan')] }, ...onlyTheSecond]);
});

test('if a transfer is cancelled while a file is read, it ends immediately', async () => {
  const setup = await setUpLate();
  const { services, startWorker, confirm, untilEnded, sourceFiles, notifications } = setup;
  let isOpened = false;
  sourceFiles.open = async () => {
    const stream = new Readable({ read() {} });
    stream.push('the ');
    isOpened = true;
    return stream;
  };
  await startWorker({ services: { ...services, timing: { ...services.timing, reconcilePauseMs: 600_000 } } });
  const first = await confirm(anna, 'F1', 'carl@example.org');
  await expect.poll(() => isOpened).toBe(true);
  await cancelTransfer(services, anna, first);
  expect(await untilEnded(first)).toMatchObject({ state: 'cancelled' });
  expect(notifications.progress.map(({ phase }) => phase)).not.toContain('stopping');
});
