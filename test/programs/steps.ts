import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { handlerOf, type JobHandler, jobKind } from '../../src/jobs/index.ts';
import type { Store } from '../../src/store/index.ts';

export const stepCount = 7;

/**
 * Where a worker dies: before a step's effect, between the effect and its record, or after the record. With `never`, it
 * doesn't kill itself: it waits after the effect until the test kills it.
 */
export interface Crash {
  step: number;
  where: 'before' | 'between' | 'after' | 'never';
}

export interface WorkerArgs {
  connection: pg.ClientConfig;
  secretKey: string;
  kind: string;
  crash: Crash;
}

export const stepsKind = (name: string) => jobKind(name, ['run']);

/** Runs jobs of seven steps that each add a row. More than one row for a step means that it was repeated. */
export function stepsHandler(store: Store, name: string, crash?: Crash): JobHandler {
  const crashAt = async (step: number, where: Crash['where']) => {
    if (crash?.step !== step || crash.where !== where) return;
    process.kill(process.pid, 'SIGKILL');
    await sleep(60_000); // SIGKILL arrives before the next line can run
  };
  return handlerOf<{ run: string }>({
    kind: stepsKind(name),
    async run({ run }, context) {
      for (let number = 0; number < stepCount; number += 1) {
        await context.step(`step ${number}`, async () => {
          await crashAt(number, 'before');
          await store.pool.query('insert into effects (run, step) values ($1, $2)', [run, number]);
          await crashAt(number, 'between');
          if (crash?.where === 'never' && number === crash.step) {
            process.stdout.write('waiting\n');
            await sleep(60_000);
          }
          return number;
        });
        await crashAt(number, 'after');
      }
    },
    giveUp: async () => {},
  });
}
