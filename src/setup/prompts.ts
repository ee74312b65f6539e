import type { Readable, Writable } from 'node:stream';
import * as clack from '@clack/prompts';

/** The person pressed Ctrl-C or Escape at a question. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

export type Prompts = ReturnType<typeof createPrompts>;

type ProblemOf = (text: string) => string | undefined;

/** Questions and messages in the terminal. */
export function createPrompts(streams: { input?: Readable; output?: Writable } = {}) {
  const { output = process.stdout } = streams;
  const unlessCancelled = <T>(value: T): Exclude<T, symbol> => {
    if (clack.isCancel(value)) throw new Cancelled();
    return value as Exclude<T, symbol>;
  };
  const validation = (problemOf: ProblemOf) => ({
    validate: (text: string | undefined) => problemOf((text ?? '').trim()),
  });
  return {
    begin: (title: string) => clack.intro(title, streams),
    // As a string, because clack's type for options of a generic value is too strict.
    select: async <T extends string>(message: string, options: { value: T; label: string; hint?: string }[]) =>
      unlessCancelled(await clack.select<string>({ message, options, ...streams })) as T,
    text: async (message: string, placeholder: string, problemOf: ProblemOf): Promise<string> =>
      unlessCancelled(await clack.text({ message, placeholder, ...validation(problemOf), ...streams })).trim(),
    /** Doesn't show what is typed. */
    secret: async (message: string, problemOf: ProblemOf): Promise<string> =>
      unlessCancelled(
        (await clack.password({ message, clearOnError: true, ...validation(problemOf), ...streams })) ?? '',
      ).trim(),
    confirm: async (message: string): Promise<boolean> => unlessCancelled(await clack.confirm({ message, ...streams })),
    say: (text: string) => clack.log.step(text, streams),
    done: (text: string) => clack.log.success(text, streams),
    warn: (text: string) => clack.log.warn(text, streams),
    fail: (text: string) => clack.log.error(text, streams),
    /** Prints text without decoration, so that it can be copied. */
    print: (text: string) => void output.write(`${text}\n`),
    end: (text: string) => clack.outro(text, streams),
  };
}
