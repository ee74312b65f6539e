import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningProgram, runScript } from '../helpers/program.ts';
import { startBalancer } from './balancer.ts';

/** One slot for a bot process. A killed process is replaced by a new one. */
interface Seat {
  program: RunningProgram | undefined;
  /** Undefined while no process listens. */
  port: number | undefined;
  isKilled: boolean;
}

export interface Bots {
  /** The address at which Slack reaches any living bot. */
  url: string;
  /** kill -9. Resolves when the process is dead; a new one starts at once. */
  kill(seat: number): Promise<void>;
  moveClock(seat: number, ms: number): void;
  /** Resolves when all bots listen. */
  ready(): Promise<void>;
  /** What a process must never do: end by itself, or log an unhandled error. */
  problems(): string[];
  /** Everything that the bots have printed. */
  printed(): string;
  /** SIGTERM. Resolves with each exit code or signal. */
  stop(): Promise<string[]>;
}

export const seats = 2;

const databaseAway = /ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|57P0\d|Connection terminated|timeout expired/;

/** Several bot processes behind one address. */
export async function startBots(script: string, env: NodeJS.ProcessEnv): Promise<Bots> {
  const problems: string[] = [];
  const printed: (() => string)[] = [];
  let isOver = false;
  const all: Seat[] = Array.from({ length: seats }, () => ({ program: undefined, port: undefined, isKilled: false }));

  /** Starts a process and resolves when it listens. */
  async function occupy(seat: Seat): Promise<void> {
    for (;;) {
      const program = runScript(script, [], env);
      // The process can be killed while its clock is being moved.
      program.child.stdin?.on('error', () => {});
      Object.assign(seat, { program, isKilled: false, port: await portOf(program) });
      if (seat.port !== undefined) {
        printed.push(program.printed);
        void program.ended.then((end) => leave(seat, program, end.code ?? end.signal));
        return;
      }
      await program.ended;
      // A bot that starts while its database is down can exit; it is started again.
      if (!databaseAway.test(program.printed())) problems.push(`a bot did not start: ${lastOf(program)}`);
      if (isOver) return;
      await sleep(100);
    }
  }

  function leave(seat: Seat, program: RunningProgram, end: number | string | null): void {
    seat.port = undefined;
    if (seat.isKilled || isOver) return;
    problems.push(`a bot ended by itself (${end}): ${lastOf(program)}`);
    starting.set(seat, occupy(seat));
  }

  const balancer = await startBalancer(() => all.flatMap(({ port }) => port ?? []));
  const starting = new Map(all.map((seat) => [seat, occupy(seat)]));
  const ready = async () => void (await Promise.all(starting.values()));
  await ready();

  async function stop(): Promise<string[]> {
    isOver = true;
    await ready();
    const programs = all.flatMap(({ program }) => program ?? []);
    for (const { child } of programs) child.kill('SIGTERM');
    const ends = await Promise.all(programs.map(({ ended }) => ended));
    await balancer.close();
    return ends.map(({ code, signal }) => String(code ?? signal));
  }
  let stopping: Promise<string[]> | undefined;

  return {
    url: balancer.url,
    ready,
    async kill(number) {
      const seat = all[number];
      if (seat === undefined) return;
      await starting.get(seat);
      if (seat.isKilled || seat.program === undefined) return;
      seat.isKilled = true;
      seat.port = undefined;
      seat.program.child.kill('SIGKILL');
      await seat.program.ended;
      starting.set(seat, occupy(seat));
    },
    moveClock(number, ms) {
      const { child } = all[number]?.program ?? {};
      child?.stdin?.write(`clock ${ms}\n`, () => {});
    },
    printed: () => printed.map((text) => text()).join(''),
    problems: () => [
      ...problems,
      ...printed.flatMap((text) =>
        text()
          .split('\n')
          .filter((line) => /"level":"fatal"|unhandled/i.test(line)),
      ),
    ],
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

async function portOf(program: RunningProgram): Promise<number | undefined> {
  try {
    for (;;) {
      const line = await program.line();
      if (line.includes('"ready"')) return JSON.parse(line).port;
    }
  } catch {
    return undefined;
  }
}

const lastOf = (program: RunningProgram) => program.printed().slice(-2_000);
