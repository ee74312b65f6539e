import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { startEmbeddedPostgres } from '../../src/store/embedded/index.ts';
import { until } from '../helpers/features.ts';
import type { TestPostgres } from '../helpers/postgres.ts';
import { makePostgresFolder } from '../helpers/postgres-folder.ts';

export interface InterruptiblePostgres extends TestPostgres {
  /** Kills or restarts Postgres, or cuts its connections. Its supervisor restarts it. */
  interrupt(how: 'killed' | 'restarted' | 'cut off'): Promise<void>;
  /** Resolves when Postgres answers. */
  untilReady(): Promise<void>;
}

/** A separate Postgres that can be killed without affecting other tests. */
export async function startInterruptiblePostgres(): Promise<InterruptiblePostgres> {
  const folder = await makePostgresFolder();
  // Data that reached the kernel survives a kill, so fsync can be off. synchronous_commit stays on to keep commits.
  const settings = { fsync: 'off', full_page_writes: 'off' };
  const limits = { retryDelaysMs: [0, 50, 100, 200] };
  const server = await startEmbeddedPostgres({ dataDir: folder.path, settings, limits });
  onTestFinished(() => server.stop().finally(() => folder.remove()));
  const { host, port, user } = server.connection;
  const admin = { host, port, user: 'postgres', database: 'postgres' };

  async function administer(statement: string): Promise<void> {
    const client = new pg.Client(admin);
    client.on('error', () => {});
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end().catch(() => {});
    }
  }

  const postgres: InterruptiblePostgres = {
    async createDatabase() {
      await administer(`create database bot owner ${user}`);
      const allow = (yes: boolean) => administer(`alter database bot allow_connections ${yes}`);
      return {
        connection: { host, port, user, database: 'bot' },
        connectionString: `postgresql://${user}@localhost/bot?host=${encodeURIComponent(host)}&port=${port}`,
        disconnect: () => allow(false),
        reconnect: () => allow(true),
        drop: async () => {}, // deleted with the server
      };
    },
    afterFile: (close) => void onTestFinished(close),
    get sharedPostgres() {
      return postgres;
    },
    async interrupt(how) {
      if (how === 'cut off') {
        await administer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'bot'`).catch(
          () => {},
        );
        return;
      }
      const pid = await readFile(join(folder.path, 'cluster', 'postmaster.pid'), 'utf8').catch(() => undefined);
      // Postgres is already down.
      if (pid === undefined) return;
      try {
        process.kill(Number(pid.split('\n')[0]), how === 'killed' ? 'SIGKILL' : 'SIGINT');
      } catch {
        // Postgres went down between the check and the signal.
      }
    },
    async untilReady() {
      const isUp = () =>
        administer('select 1').then(
          () => true,
          () => undefined,
        );
      await until(isUp, 'Postgres to be up');
    },
  };
  return postgres;
}
