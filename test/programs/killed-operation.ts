/**
 * Runs one operation of the bot, and kills this process between two of its database statements. Started with
 * `BotWorkerArgs` as JSON; reads a `KilledOperation` from stdin, as a line of JSON. If the operation ends, prints
 * “done”.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { connectDurably } from '../../src/features/account/connect/jobs.ts';
import type { Actor } from '../../src/features/common/services.ts';
import { changeContacts } from '../../src/features/contacts/edit/operations.ts';
import { askForFile } from '../../src/features/inbox/orders/operations.ts';
import { pause } from '../../src/features/pause/operations.ts';
import { approve } from '../../src/features/transfers/approval/operations.ts';
import { tickPoint } from '../../src/features/transfers/checklist/operations.ts';
import { undoTransfer } from '../../src/features/transfers/lifecycle/operations.ts';
import { startNow } from '../../src/features/transfers/lifecycle/planned.ts';
import { resumeTransfers } from '../../src/features/transfers/queue.ts';
import { confirmSend } from '../../src/features/transfers/send/operations.ts';
import { openBotServices } from './bot-services.ts';
import type { BotWorkerArgs } from './bot-worker.ts';

const operations = {
  approve,
  askForFile,
  changeContacts,
  confirmSend,
  connectDurably,
  pause,
  resume: resumeTransfers,
  startNow,
  tickPoint,
  undoTransfer,
};

export interface KilledOperation {
  name: keyof typeof operations;
  actor: Actor;
  /** The operation's arguments after the services and the person. */
  args: readonly unknown[];
  /** How many statements that change something are sent before the kill. */
  killAfter: number;
}

/** Between two statements that change nothing, a kill has the same effect as before the first. */
const changesNothing = (sql: string) => /^\s*(begin|set local|select(?!.*graphile_worker\.))/is.test(sql);

/** Kills this process before the first statement that follows this number of changes. */
function killAfterChanges(killAfter: number): void {
  const { query } = pg.Client.prototype;
  let changes = 0;
  const watched = function (this: pg.Client, ...args: unknown[]): unknown {
    if (changes >= killAfter) {
      process.kill(process.pid, 'SIGKILL');
      // Another thread can get the signal first, so this one must not send the statement.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    }
    const [statement] = args;
    const sql = typeof statement === 'string' ? statement : (statement as pg.QueryConfig).text;
    if (!changesNothing(sql)) changes += 1;
    return Reflect.apply(query, this, args);
  };
  Object.assign(pg.Client.prototype, { query: watched });
}

async function main(workerArgs: BotWorkerArgs): Promise<void> {
  const services = await openBotServices(workerArgs);
  process.stdout.write('ready\n');
  const [line] = await once(createInterface({ input: process.stdin }), 'line');
  const { name, actor, args, killAfter }: KilledOperation = JSON.parse(line);
  killAfterChanges(killAfter);
  await Reflect.apply(operations[name], undefined, [services, actor, ...args]);
  process.stdout.write('done\n');
}

if (process.argv[2] !== undefined) await main(JSON.parse(process.argv[2]));
