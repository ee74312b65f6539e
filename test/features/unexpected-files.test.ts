import { expect, test } from 'vitest';
import { confirmSend, prepareAgain, removeUnexpectedAndSend } from '../../src/features/transfers/send/operations.ts';
import { failureOf, fileOf } from '../helpers/exchange.ts';
import { admin, anna, bo, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { type ClientAction, disturbTransfer, type InterceptedCall } from './other-client.ts';

const postgres = startTestPostgres();

test('an unexpected file stops a transfer before any upload and is never sent', async () => {
  const { account, services, sourceFiles, send, startWorker, untilEnded, server } = await setUpFeatures(postgres);
  await services
    .connectTo({ baseUrl: server.url, username: account.user, apiKey: account.apiKey })
    .upload(fileOf('secret.doc', 'S'));
  await startWorker();
  server.calls.length = 0;
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const stopped = await send(anna, { files: ['F1'], recipients: ['carl@example.org'] });
  expect(stopped).toMatchObject({
    state: 'failed',
    progress: { result: { code: 'unexpected-files', names: ['secret.doc'] } },
  });
  expect(server.calls.filter(({ operation }) => operation === 'upload')).toEqual([]);
  expect(account.drops).toEqual([]);
  expect(account.uploads.map(({ name }) => name)).toEqual(['secret.doc']);

  expect(await failureOf(removeUnexpectedAndSend(services, bo, stopped.id))).toMatchObject({ code: 'not-allowed' });
  const otherAdmin = { workspace: 'T2', person: admin.person };
  expect(await failureOf(removeUnexpectedAndSend(services, otherAdmin, stopped.id))).toMatchObject({
    code: 'not-found',
  });
  const { id } = await removeUnexpectedAndSend(services, admin, stopped.id);
  expect(await failureOf(removeUnexpectedAndSend(services, admin, stopped.id))).toMatchObject({ code: 'used' });
  expect(await untilEnded(id)).toMatchObject({ state: 'sent', person: anna.person });
  expect(account.drops.map(({ files }) => files.map(({ name }) => name))).toEqual([['plan.pdf']]);
});

test('a transfer stopped by an unexpected file can be resent once, by sender or admin', async () => {
  const { services, sourceFiles, startWorker, send, server, account, untilEnded } = await setUpFeatures(postgres);
  const otherClient = services.connectTo({ baseUrl: server.url, username: account.user, apiKey: account.apiKey });
  await otherClient.upload(fileOf('secret.doc', 'S'));
  await startWorker();
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const stopped = await send(anna, { files: ['F1'], recipients: ['carl@example.org'] });
  await otherClient.removeFile('secret.doc');
  const again = await prepareAgain(services, anna, stopped.id);
  const { id } = await confirmSend(services, anna, again.reviewId);
  expect(await untilEnded(id)).toMatchObject({ state: 'sent' });
  expect(await failureOf(removeUnexpectedAndSend(services, admin, stopped.id))).toMatchObject({ code: 'used' });
  expect(account.drops).toHaveLength(1);
});

test('if a file appears after our uploads, the transfer stops before createdrop', async () => {
  const setup = await setUpFeatures(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      async setReceivers(receivers, options) {
        if (receivers.length > 0) await exchange.upload(fileOf('stranger.exe', 'X'));
        await exchange.setReceivers(receivers, options);
      },
    }),
  });
  const { account, sourceFiles, send, startWorker, server } = setup;
  await startWorker();
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  const stopped = await send(anna, { files: ['F1'], recipients: ['carl@example.org'] });
  expect(stopped).toMatchObject({ state: 'failed', progress: { result: { names: ['stranger.exe'] } } });
  expect(account.drops).toEqual([]);
  expect(server.calls.filter(({ operation }) => operation === 'createdrop')).toEqual([]);
});

/** These pairs could send a wrong file or reach a wrong recipient. The deep tier runs every pair. */
const pairs: [ClientAction, InterceptedCall][] = [
  ['uploads a file', 'createDispatch'],
  ['sets its own recipient', 'createDispatch'],
];

test.each(pairs)('if another client %s before %s, the transfer detects it', async (action, call) => {
  await disturbTransfer(postgres, action, call);
});
