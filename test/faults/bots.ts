import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningProgram, runScript } from '../helpers/program.ts';
import { startBalancer } from './balancer.ts';

/** One slot for a bot process. A killed process is replaced by a new one. */
interface BotSlot {
  program: RunningProgram | undefined;
  /** Undefined while no process listens. */
  port: number | undefined;
  isKilled: boolean;
}

export interface Bots {
  /** The address at which Slack reaches any living bot. */
  url: string;
  /** kill -9. Resolves when the process is dead; a new one starts at once. */
  kill(slot: number): Promise<void>;
  /** Sets how far the bot's clock differs from the real time. */
  setClockOffset(slot: number, ms: number): void;
  /** Resolves when all bots listen. */
  untilReady(): Promise<void>;
  /** Unexpected exits and unhandled errors. */
  problems(): string[];
  /** Everything that the bots have printed, except those that didn't start. */
  printed(): string;
  /** SIGTERM. Resolves with each exit code or signal. */
  stop(): Promise<string[]>;
}

export const botCount = 2;

/** Errors of a bot that starts while its database is down. */
const databaseErrors =
  /ECONNREFUSED|ENOENT|57P0\d|Connection terminated|timeout expired|does not answer|then try again/;

/** Several bot processes behind one address. */
export async function startBots(script: string, env: NodeJS.ProcessEnv): Promise<Bots> {
  const problems: string[] = [];
  const printed: (() => string)[] = [];
  let isStopping = false;
  const slots: BotSlot[] = Array.from({ length: botCount }, () => ({
    program: undefined,
    port: undefined,
    isKilled: false,
  }));

  const balancer = await startBalancer(() => slots.flatMap(({ port }) => port ?? []));

  /** Starts a process and resolves when it listens. */
  async function startProcess(slot: BotSlot): Promise<void> {
    for (;;) {
      const program = runScript(script, [], { ...env, PUBLIC_URL: balancer.url });
      // The process can be killed while its clock is being set.
      program.child.stdin?.on('error', () => {});
      Object.assign(slot, { program, isKilled: false, port: await portOf(program) });
      if (slot.port !== undefined) {
        printed.push(program.printed);
        void program.ended.then((end) => onExit(slot, program, end.code ?? end.signal));
        return;
      }
      await program.ended;
      // A bot that starts while its database is down can exit; it is started again.
      if (!databaseErrors.test(program.printed())) problems.push(`a bot did not start: ${lastOutput(program)}`);
      if (isStopping) return;
      await sleep(100);
    }
  }

  function onExit(slot: BotSlot, program: RunningProgram, end: number | string | null): void {
    slot.port = undefined;
    if (slot.isKilled || isStopping) return;
    problems.push(`a bot exited unexpectedly (${end}): ${lastOutput(program)}`);
    starting.set(slot, startProcess(slot));
  }

  const starting = new Map(slots.map((slot) => [slot, startProcess(slot)]));
  const untilReady = async () => void (await Promise.all(starting.values()));
  await untilReady();

  async function stop(): Promise<string[]> {
    isStopping = true;
    await untilReady();
    const programs = slots.flatMap(({ program }) => program ?? []);
    for (const { child } of programs) child.kill('SIGTERM');
    const ends = await Promise.all(programs.map(({ ended }) => ended));
    await balancer.close();
    return ends.map(({ code, signal }) => String(code ?? signal));
  }
  let stopping: Promise<string[]> | undefined;

  return {
    url: balancer.url,
    untilReady,
    async kill(number) {
      const slot = slots[number];
      if (slot === undefined) return;
      await starting.get(slot);
      if (slot.isKilled || slot.program === undefined) return;
      slot.isKilled = true;
      slot.port = undefined;
      slot.program.child.kill('SIGKILL');
      await slot.program.ended;
      starting.set(slot, startProcess(slot));
    },
    setClockOffset(number, ms) {
      const { child } = slots[number]?.program ?? {};
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
      const line = await program.nextLine();
      if (line.includes('"ready"')) return JSON.parse(line).port;
    }
  } catch {
    return undefined;
  }
}

const lastOutput = (program: RunningProgram) => program.printed().slice(-2_000);
