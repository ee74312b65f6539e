import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { approve } from '../../src/features/transfers/approval/operations.ts';
import { openFile } from '../../src/features/transfers/copies/operations.ts';
import { bytesOf } from '../helpers/exchange.ts';
import { admin, anna, setUpFeatures, sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { cleo, confirmTransfer, policyWith, saveApproval } from './approval.ts';

const postgres = startTestPostgres();

test('the SHA-256 of each sent file is in the transfer and in its audit entry', async () => {
  const { startWorker, send, sourceFiles, store } = await setUpFeatures(postgres);
  await startWorker();
  const files = [sourceFiles.put('F1', 'plan.pdf', 'the plan'), sourceFiles.put('F2', 'empty.txt', '')];
  const transfer = await send(anna, { files, recipients: ['carl@example.org'] });
  expect(transfer).toMatchObject({ state: 'sent', progress: { hashes: { F1: sha256('the plan'), F2: sha256('') } } });
  const [entry] = await store.audit.list('T1', { action: 'send' });
  expect(entry?.details).toMatchObject({
    files: [
      { name: 'plan.pdf', size: 8, sha256: sha256('the plan') },
      { name: 'empty.txt', size: 0, sha256: sha256('') },
    ],
  });
});

test('a transfer whose second attempt reads other bytes of the same file is not sent', async () => {
  const setup = await setUpFeatures(postgres);
  const { startWorker, otherServices, sourceFiles, store, untilEnded, account } = setup;
  let failures = 0;
  // The service has the file, but the job dies before the next step.
  const services = otherServices(store, (exchange) => ({
    ...exchange,
    async listFiles(...args) {
      const files = await exchange.listFiles(...args);
      if (files.length === 0 || failures > 0) return files;
      failures += 1;
      sourceFiles.put('F1', 'plan.pdf', 'THE PLAN');
      throw new Error('lost');
    },
  }));
  const id = await confirmTransfer(setup);
  await startWorker({ services });
  const { state, progress } = await untilEnded(id);
  expect(failures).toBe(1);
  expect([state, progress.result?.code]).toEqual(['failed', 'changed']);
  expect(account).toMatchObject({ drops: [], uploads: [] });
  const [entry] = await store.audit.list('T1', { action: 'send' });
  expect(entry?.details).toMatchObject({ files: [{ sha256: sha256('the plan') }], result: { code: 'changed' } });
});

test('a file with other bytes than the copy that the approver opened is not sent', async () => {
  const setup = await setUpFeatures(postgres);
  const { services, sourceFiles, startWorker, untilEnded, account } = setup;
  await saveApproval(services, admin, policyWith({ every: true, approvers: [cleo.person] }));
  const id = await confirmTransfer(setup);
  const { signal } = new AbortController();
  const sink = async ({ stream }: { stream: Readable }) => void (await bytesOf(stream));
  await openFile(services, cleo, { id, file: 'F1' }, sink, { signal });
  sourceFiles.open = async () => Readable.from([Buffer.from('THE PLAN')], { objectMode: false });
  await approve(services, cleo, id);
  await startWorker();
  expect((await untilEnded(id)).progress.result?.code).toBe('changed');
  expect(account).toMatchObject({ drops: [], uploads: [] });
});
