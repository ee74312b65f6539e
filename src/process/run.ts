import type { SlackApp } from '../app.ts';
import { type Config, type Role, readConfig } from '../config.ts';
import { startPoller } from '../features/inbox/poll/poller.ts';
import { featureJobs } from '../features/jobs.ts';
import { jobOutcomes, type Runner, startRunners } from '../jobs/index.ts';
import { type Closers, createClosers } from '../lib/closers.ts';
import { captureConsole, createLog, type Log } from '../lib/log.ts';
import { type OpenedServices, openServices } from '../services.ts';
import { startChaining } from './chaining.ts';
import { listen, metricsRoutes } from './health.ts';
import { housekeeping } from './housekeeping.ts';
import { webRoutes } from './web.ts';

/** How long running work can continue after SIGTERM before other processes take it over. */
const graceMs = 20_000;

/** Runs the bot until it is stopped. */
export async function run(role: Role, env: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig(role, env);
  const log = createLog(config.logLevel);
  captureConsole(log);
  const closers = createClosers(log);
  const stop = stopOnce(log, closers);
  // Registered first: an interrupted start must not leave a database running.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
  try {
    const services = await openServices(config, log);
    closers.add(services.close);
    captureConsole(services.store.quiet(log));
    const [workClosers, webClosers] = [createClosers(log), createClosers(log)];
    // In parallel, so that both stop accepting work now and share one grace period.
    closers.add(async () => void (await Promise.all([webClosers.closeAll(), workClosers.closeAll()])));
    const runner = config.role === 'web' ? undefined : await startWork(config, services, workClosers);
    const port = await serve(config, services, runner, webClosers);
    log.info({ role: config.role, port }, 'ready');
  } catch (error) {
    await stop('failed start');
    throw error;
  }
}

async function startWork(config: Config, services: OpenedServices, closers: Closers): Promise<Runner> {
  const { store, log, metrics } = services;
  const housekeeper = housekeeping(services);
  const handlers = [housekeeper.handler, ...featureJobs(services)];
  // Starts at 0, so that the first failure counts as an increase.
  for (const { kind } of handlers)
    for (const outcome of jobOutcomes) metrics.count('dropline_jobs_total', { name: kind.name, outcome }, 0);
  const runner = await startRunners({
    store,
    log,
    handlers,
    onJob(name, outcome, ms) {
      metrics.count('dropline_jobs_total', { name, outcome });
      metrics.observe('dropline_job_duration_seconds', { name }, ms / 1000);
    },
  });
  closers.add(() => runner.stop(graceMs));
  const poller = startPoller(services, { everyMs: config.exchange.pollMs });
  closers.add(poller.stop);
  closers.add(startChaining(services, { auditLog: config.auditLog }));
  const stopHousekeeping = housekeeper.start();
  closers.add(async () => stopHousekeeping());
  return runner;
}

async function serve(
  config: Config,
  services: OpenedServices,
  runner: Runner | undefined,
  closers: Closers,
): Promise<number> {
  const slack = config.role === 'worker' ? undefined : await openSlackApp(config, services);
  const routes = webRoutes(services, runner, slack);
  const server = await listen(routes, config.port, config.host);
  closers.add(async () => {
    const deadline = Date.now() + graceMs;
    await Promise.all([server.close(graceMs), slack?.stopListening()]);
    // After the server has closed, because requests that still arrive add work.
    await slack?.drain(deadline - Date.now());
  });
  await slack?.start();
  if (config.metrics !== undefined) {
    services.metrics.collectNode();
    const routes = metricsRoutes(services, config.role, runner, slack);
    const metrics = await listen(routes, config.metrics.port, config.metrics.host);
    closers.add(metrics.close);
  }
  return server.port;
}

/** Loaded only in processes that answer Slack: without Bolt and the forms, a worker starts with a sixth less memory. */
async function openSlackApp(config: Config, services: OpenedServices): Promise<SlackApp> {
  const { createSlackApp } = await import('../app.ts');
  return createSlackApp(services, config.slack);
}

/** Closes everything once, on the first signal or a failed start. Later calls wait for the same end. */
function stopOnce(log: Log, closers: Closers): (reason: string) => Promise<void> {
  let stopping: Promise<void> | undefined;
  return (reason) => {
    stopping ??= (async () => {
      log.info({ why: reason }, 'stopping');
      // Work that still runs after this time is stuck. Other processes take over its jobs.
      setTimeout(() => process.exit(1), graceMs + 15_000).unref();
      await closers.closeAll();
      log.info({}, 'stopped');
    })();
    return stopping;
  };
}
