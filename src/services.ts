import type pg from 'pg';
import type { Config } from './config.ts';
import { createExchange, createServiceAgent, type ExchangeOptions } from './exchange/index.ts';
import { createDelivery } from './features/common/delivery/links.ts';
import { defaultTiming } from './features/common/services.ts';
import { createSharedWork } from './features/common/shared-work.ts';
import { createContactCaches } from './features/contacts/list/operations.ts';
import { refreshHome } from './features/home/notify.ts';
import { createAnnouncer } from './features/inbox/announce/notify.ts';
import { createNotifier } from './features/notify.ts';
import { storeScanRequirement } from './features/settings/policies/repository.ts';
import { transferKinds } from './features/transfer-kinds.ts';
import type { TransferSlackServices } from './features/transfers/shown-kind.ts';
import { openQueue } from './jobs/index.ts';
import { createClosers } from './lib/closers.ts';
import type { Log } from './lib/log.ts';
import { createMetrics, type Metrics } from './lib/metrics.ts';
import { createScanner, verdictStates } from './scan/index.ts';
import { createSlackAccess, type SlackAccessOptions } from './slack/access.ts';
import { startEmbeddedPostgres } from './store/embedded/index.ts';
import { openStore } from './store/index.ts';
import { readOrCreateSecretKey } from './store/secret-key.ts';

/** Everything that features, jobs and pages depend on. */
export interface OpenedServices extends TransferSlackServices {
  log: Log;
  metrics: Metrics;
  /** Closes everything in reverse order of opening. */
  close(): Promise<void>;
}

export type ServicesConfig = Pick<Config, 'database' | 'exchange' | 'publicUrl' | 'support'> &
  Partial<Pick<Config, 'scan' | 'scanRequired'>> & { slack: SlackAccessOptions };

export async function openServices(config: ServicesConfig, log: Log): Promise<OpenedServices> {
  const { publicUrl } = config;
  const closers = createClosers(log);
  const close = closers.closeAll;
  try {
    const { connection, secretKeys } = await openDatabase(config, log, closers.add);
    const store = await openStore({ connection, secretKeys, log });
    closers.add(store.close);
    await storeScanRequirement({ store, log }, config.scanRequired);
    const queue = await openQueue(store.pool, store.quiet(log));
    closers.add(queue.close);
    const dispatcher = createServiceAgent({ hosts: config.exchange.hosts });
    closers.add(() => dispatcher.close());
    const publicHosts = createServiceAgent();
    closers.add(() => publicHosts.close());
    const metrics = createMetrics();
    const slack = createSlackAccess(store, config.slack, publicHosts.calls, { log, metrics });
    const onCall: ExchangeOptions['onCall'] = (operation, outcome, ms) =>
      metrics.observe('dropline_service_call_duration_seconds', { operation, outcome }, ms / 1000);
    const onVerdict = (verdict: string) => metrics.count('dropline_scans_total', { verdict });
    if (config.scan !== undefined)
      for (const verdict of verdictStates) metrics.count('dropline_scans_total', { verdict }, 0);
    const onScan = (verdict: string, ms: number) =>
      metrics.observe('dropline_scan_duration_seconds', { verdict }, ms / 1000);
    const shown = { slack, store, log, kinds: transferKinds };
    const services: OpenedServices = {
      log,
      metrics,
      store,
      queue,
      connectTo: (login, limitCall) =>
        createExchange({ ...login, limitCall, tokens: store.tokens, dispatcher, log, onCall }),
      people: slack.people,
      sources: slack.sources,
      notifier: createNotifier(shown, (actor) => refreshHome(services, actor)),
      announcer: createAnnouncer(shown),
      timing: defaultTiming,
      contactCaches: createContactCaches(defaultTiming),
      ...createSharedWork(),
      scanner: config.scan && createScanner({ ...config.scan, onVerdict, onScan }),
      slack,
      delivery: createDelivery({ slack, store, publicUrl }),
      kinds: transferKinds,
      publicUrl,
      support: config.support,
      close,
    };
    return services;
  } catch (error) {
    await close();
    throw error;
  }
}

interface Database {
  connection: pg.ClientConfig;
  secretKeys: readonly Buffer[];
}

export async function openDatabase(
  { database }: Pick<Config, 'database'>,
  log: Log,
  addCloser: (close: () => Promise<void>) => void,
): Promise<Database> {
  if ('url' in database) return { connection: { connectionString: database.url }, secretKeys: database.secretKeys };
  const embedded = await startEmbeddedPostgres({ dataDir: database.dataDir, log });
  addCloser(embedded.stop);
  return {
    connection: embedded.connection,
    secretKeys: database.secretKeys ?? [await readOrCreateSecretKey(database.dataDir)],
  };
}
