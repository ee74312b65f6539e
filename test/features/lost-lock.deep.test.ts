import { expect, test } from 'vitest';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { setUpFeatures, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { queueTransfer } from './queue-transfer.ts';

// Not shared, because the test suspends a backend, and dropping any database of the same server would wait for it.
const postgres = startTestPostgres({ isShared: false });

test('a worker that may have lost its lock commits nothing; the next attempt does', async () => {
  let suspended: number | undefined;
  const setup = await setUpFeatures(postgres, {
    isSeparate: true,
    wrap: (exchange) => ({
      ...exchange,
      listFiles: async (options) => {
        const listed = await exchange.listFiles(options);
        // Once recipients are set, this is the last call before the commit.
        if (setup.account.receivers.length > 0 && suspended === undefined) {
          suspended = await lockBackend();
          process.kill(suspended, 'SIGSTOP');
        }
        return listed;
      },
    }),
  });
  const { store, account, startWorker, untilDrained, untilEnded } = setup;
  const lockBackend = async () => {
    const { rows } = await store.pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'dropline lock'`,
    );
    expect(rows).toHaveLength(1);
    return rows[0]?.pid ?? 0;
  };
  const id = await queueTransfer(setup);
  await startWorker();
  try {
    const hasFailed = async () => {
      const { rowCount } = await store.pool.query('select from graphile_worker.jobs where last_error is not null');
      return rowCount === 0 ? undefined : true;
    };
    await until(hasFailed, 'the first attempt to fail');
    expect(await transfersIn(store).read(id)).toMatchObject({ state: 'running' });
    expect(account.drops).toEqual([]);
  } finally {
    if (suspended !== undefined) process.kill(suspended, 'SIGCONT');
  }
  expect(await untilEnded(id)).toMatchObject({ state: 'sent' });
  expect(account.drops).toHaveLength(1);
  await untilDrained();
});
