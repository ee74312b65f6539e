import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { setHold } from '../../src/features/transfers/holds/repository.ts';
import { tryWithdrawReview } from '../../src/features/transfers/lifecycle/operations.ts';
import { confirmRequest, prepareRequest } from '../../src/features/transfers/request/operations.ts';
import { failureOf } from '../helpers/exchange.ts';
import { admin, anna, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { requestFiles } from '../helpers/requests.ts';

const postgres = startTestPostgres();
const draft = { recipients: ['carl@example.org'], groups: [], message: 'Please send the plans', expiresAfter: 3 };

test('while an account is on hold, no file request is sent', async () => {
  const { services, store, server, account } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { requests: true });
  await setHold(store.pool, { id: randomUUID(), workspace: 'T1', account: `${server.url}/${account.user}` }, 'unknown');
  expect(await failureOf(requestFiles(services, anna, draft))).toMatchObject({ code: 'held' });
});

test("a request can't be confirmed after its review was closed", async () => {
  const { services, account } = await setUpFeatures(postgres);
  await changeSettings(services, admin, { requests: true });
  const { reviewId: id } = await prepareRequest(services, anna, draft);
  expect(await tryWithdrawReview(services, anna, id)).toBe(true);
  expect(await failureOf(confirmRequest(services, anna, id))).toMatchObject({ code: 'not-found' });
  expect(account.uploadPages).toEqual([]);
});

test('if the service issues no token, the file request is reported as failed', async () => {
  const { services, server, account, store, startWorker, untilEnded } = await setUpFeatures(postgres, {
    wrap: (exchange) => ({
      ...exchange,
      async grantAccess(parameters) {
        // The token has expired since the last call, and the page with a new one fails.
        await store.pool.query("delete from dropline.keyv where key like 'csrf:%'");
        server.addFault({ operation: 'index', kind: 'reset-before', times: 5 });
        await exchange.grantAccess(parameters);
      },
    }),
  });
  await changeSettings(services, admin, { requests: true });
  await startWorker();
  expect(await untilEnded(await requestFiles(services, anna, draft))).toMatchObject({ state: 'failed' });
  expect(account.uploadPages).toEqual([]);
});
