import { readdirSync } from 'node:fs';
import pg from 'pg';
import type { Account, ExchangeServer } from '../../src/sandbox/exchange/index.ts';
import type { Person, SlackServer, Workspace } from '../../src/sandbox/slack/index.ts';
import { until } from '../helpers/features.ts';
import type { TestPostgres } from '../helpers/postgres.ts';
import { type Bot, type Closers, shortcuts, startBot, startServers } from './deployment.ts';
import { PersonDriver } from './person-driver.ts';
import {
  loadDump,
  type RecordedAction,
  type Recording,
  readRecording,
  restoreService,
  restoreSlack,
} from './recording.ts';

/** All recorded versions. */
export const versions = readdirSync(new URL('recordings/', import.meta.url));

export interface Answer {
  /** Whether Slack got a valid answer in time. */
  isAcknowledged: boolean;
  /** Whether anything that the person sees has changed. */
  hasVisibleChange: boolean;
  /** Failures and refusals that the bot logged. */
  problems: string[];
  /** The modal that the person sees, as JSON. */
  modal: string;
}

/** A recorded deployment that runs the current code. */
export interface Upgraded {
  bot: Bot;
  slack: SlackServer;
  exchange: ExchangeServer;
  recording: Recording;
  /** The shortcuts of the current manifest. */
  shortcuts: typeof shortcuts;
  workspace(name: string): Workspace;
  account(name: string): Account;
  /** The account as it was recorded. */
  recorded(name: string): Account;
  driver(workspace: string, person?: string): PersonDriver;
  /** Repeats an action that was possible when it was recorded. */
  replay(kind: RecordedAction['kind'], key: string, change?: (driver: PersonDriver) => Promise<void>): Promise<Answer>;
  /** Starts the workers, and starts scheduled jobs at once. Resolves when no job is left. */
  finish(): Promise<void>;
  /** Starts scheduled jobs at once, but no workers. Resolves when interactions and jobs are done. */
  untilIdle(): Promise<void>;
  rows(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export async function upgrade(
  postgres: TestPostgres,
  version: string,
  { newKeys = [] as Buffer[] } = {},
): Promise<Upgraded> {
  const closeFunctions: (() => Promise<unknown>)[] = [];
  const closers: Closers = { add: (close) => void closeFunctions.unshift(close) };
  const recording = readRecording(version);
  const { service, slack: recorded, secretKey } = recording;
  const database = await postgres.createDatabase({ isEmpty: true });
  closers.add(() => database.drop());
  const databaseUrl = database.connectionString;
  await loadDump(databaseUrl, recording);
  // The service's clock starts at the time of the recording, so that its data has not expired.
  const loadedAt = Date.now();
  const servers = await startServers(closers, () => service.recordedAt + Date.now() - loadedAt);
  const { slack, exchange } = servers;
  const workspaces = restoreSlack(slack, recorded);
  // A recorded announcement waits until this channel is unarchived.
  workspaces.get('Birch')?.channel('inbox').unarchive();
  await restoreService(exchange, service);
  const bot = await startBot(closers, { ...servers, databaseUrl, secretKeys: [...newKeys, secretKey] });
  const pool = new pg.Pool({ connectionString: databaseUrl });
  closers.add(() => pool.end());
  const rows = async (sql: string, values: unknown[] = []) => (await pool.query(sql, values)).rows;
  /** Starts jobs that are scheduled for later; a failed job keeps its back-off. Returns whether no job is left. */
  const startScheduledJobs = async () => {
    await rows('update graphile_worker._private_jobs set run_at = now() where run_at > now() and attempts = 0');
    return (await rows('select from graphile_worker._private_jobs')).length === 0;
  };
  const userOf = (name: string) => `${name.toLowerCase()}@example.com`;

  const workspace = (name: string): Workspace => {
    const found = workspaces.get(name);
    if (found === undefined) throw new Error(`${name} was not recorded`);
    return found;
  };
  const untilJobsDone = async () => {
    try {
      await until(async () => (await startScheduledJobs()) || undefined, 'all jobs to finish', 45_000);
    } catch (error) {
      const unfinishedJobs = await rows(
        `select identifier, attempts, last_error, locked_by, payload from graphile_worker._private_jobs as job
         join graphile_worker._private_tasks as task on task.id = job.task_id`,
      );
      throw new Error(`unfinished jobs: ${JSON.stringify(unfinishedJobs, undefined, 2)}`, { cause: error });
    }
  };

  return {
    ...servers,
    bot,
    recording,
    shortcuts,
    rows,
    workspace,
    account: (name) => exchange.account(userOf(name)),
    recorded(name) {
      const found = service.accounts.find(({ user }) => user === userOf(name));
      if (found === undefined) throw new Error(`${name} was not recorded`);
      return found;
    },
    driver: (name, person = `${name} Owner`) =>
      new PersonDriver(slack, workspace(name), workspace(name).person(person)),
    async replay(kind, key, change) {
      const action = recorded.acts.find((one) => one.kind === kind && one.key === key);
      if (action === undefined) throw new Error(`no ${kind} of ${key} was recorded`);
      const team = workspace(action.workspace);
      const person = team.people.find(({ id }) => id === action.person);
      if (person === undefined) throw new Error(`no person was recorded for ${kind} ${key}`);
      const driver = new PersonDriver(slack, team, person);
      driver.closesAll();
      restoreSurface(recorded, action, team, person);
      await change?.(driver);
      const before = visibleState(driver);
      const [lines, deliveries] = [bot.logged().length, slack.deliveries.length];
      if (kind === 'submit') await driver.submits();
      else if (kind === 'close') await driver.closesModal();
      else if (action.ref !== undefined) await driver.pressesAt(action.ref, action.option);
      await bot.untilInteractionsDone();
      const delivered = slack.deliveries.slice(deliveries).filter(({ kind: what }) => what !== 'event');
      const problems = bot
        .logged()
        .slice(lines)
        .filter(({ level, err }) => level === 'error' || err !== undefined);
      return {
        isAcknowledged: delivered.length > 0 && delivered.every(({ outcome }) => outcome === 'acked'),
        hasVisibleChange: visibleState(driver) !== before,
        problems: problems.map((line) => JSON.stringify(line)),
        modal: JSON.stringify(driver.view() ?? {}),
      };
    },
    async finish() {
      await bot.startWorkers();
      await untilJobsDone();
    },
    async untilIdle() {
      await bot.untilInteractionsDone();
      await untilJobsDone();
    },
    async close() {
      for (const close of closeFunctions) await close();
    },
  };
}

/** Restores the modal, Home or message of a recorded action, even if it has changed since. */
function restoreSurface(
  { views, teams }: Recording['slack'],
  action: RecordedAction,
  { state }: Workspace,
  person: Person,
): void {
  const modal = action.view === undefined ? undefined : structuredClone(views[action.view]);
  if (modal !== undefined) {
    state.views.set(modal.id, modal);
    person.client.modals = [modal.id];
  }
  const team = teams.find(({ id }) => id === state.id);
  const surface = action.ref?.surface;
  if (modal !== undefined || surface === undefined) return;
  if (surface.kind === 'view') {
    const home = team?.homes.find(({ id }) => id === surface.viewId);
    if (home !== undefined) state.views.set(home.id, structuredClone(home));
    return;
  }
  const channel = team?.channels.find(({ id }) => id === surface.channelId);
  const message = channel?.messages.find(({ ts }) => ts === surface.ts);
  const { messages } = state.channels.get(surface.channelId) ?? { messages: [] };
  const index = messages.findIndex(({ ts }) => ts === surface.ts);
  if (message !== undefined) messages.splice(Math.max(index, 0), index < 0 ? 0 : 1, structuredClone(message));
}

/** The modals, Home and messages of a person, as text to compare. */
function visibleState(driver: PersonDriver): string {
  const { state } = driver.workspace;
  const modals = driver.person.client.modals.map((id) => state.views.get(id));
  return JSON.stringify([
    modals.map((view) => [view?.id, view?.hash, view?.errors]),
    driver.home()?.hash,
    driver.messages(),
  ]);
}
