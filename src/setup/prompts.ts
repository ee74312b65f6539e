import type { Readable, Writable } from 'node:stream';
import * as clack from '@clack/prompts';

/** The person pressed Ctrl-C or Escape at a question. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** Questions and messages in the terminal. */
export interface Prompts {
  begin(title: string): void;
  select<T extends string>(message: string, options: { value: T; label: string; hint?: string }[]): Promise<T>;
  text(message: string, placeholder: string, problemOf: (text: string) => string | undefined): Promise<string>;
  /** Doesn't show what is typed. */
  secret(message: string, problemOf: (text: string) => string | undefined): Promise<string>;
  confirm(message: string): Promise<boolean>;
  say(text: string): void;
  done(text: string): void;
  warn(text: string): void;
  fail(text: string): void;
  /** Prints text without decoration, so that it can be copied. */
  print(text: string): void;
  end(text: string): void;
}

export function createPrompts(streams: { input?: Readable; output?: Writable } = {}): Prompts {
  const { output = process.stdout } = streams;
  const unlessCancelled = <T>(value: T): Exclude<T, symbol> => {
    if (clack.isCancel(value)) throw new Cancelled();
    return value as Exclude<T, symbol>;
  };
  const validation = (problemOf: (text: string) => string | undefined) => ({
    validate: (text: string | undefined) => problemOf((text ?? '').trim()),
  });
  return {
    begin: (title) => clack.intro(title, streams),
    // As a string, because clack's type for options of a generic value is too strict.
    select: async <T extends string>(message: string, options: { value: T; label: string; hint?: string }[]) =>
      unlessCancelled(await clack.select<string>({ message, options, ...streams })) as T,
    text: async (message, placeholder, problemOf) =>
      unlessCancelled(await clack.text({ message, placeholder, ...validation(problemOf), ...streams })).trim(),
    secret: async (message, problemOf) =>
      unlessCancelled(
        await clack.password({ message, clearOnError: true, ...validation(problemOf), ...streams }),
      ).trim(),
    confirm: async (message) => unlessCancelled(await clack.confirm({ message, ...streams })),
    say: (text) => clack.log.step(text, streams),
    done: (text) => clack.log.success(text, streams),
    warn: (text) => clack.log.warn(text, streams),
    fail: (text) => clack.log.error(text, streams),
    print: (text) => void output.write(`${text}\n`),
    end: (text) => clack.outro(text, streams),
  };
}
