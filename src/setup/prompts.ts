import type { Readable, Writable } from 'node:stream';
import * as clack from '@clack/prompts';

/** The person pressed Ctrl-C or Escape at a question. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** The terminal: questions, and what is said between them. */
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
  /** Text without decoration, which can be copied. */
  print(text: string): void;
  end(text: string): void;
}

export function createPrompts(streams: { input?: Readable; output?: Writable } = {}): Prompts {
  const { output = process.stdout } = streams;
  const answered = <T>(value: T): Exclude<T, symbol> => {
    if (clack.isCancel(value)) throw new Cancelled();
    return value as Exclude<T, symbol>;
  };
  const validated = (problemOf: (text: string) => string | undefined) => ({
    validate: (text: string | undefined) => problemOf((text ?? '').trim()),
  });
  return {
    begin: (title) => clack.intro(title, streams),
    // The list of options is typed by whether a value needs a label, which ours always have.
    select: async <T extends string>(message: string, options: { value: T; label: string; hint?: string }[]) =>
      answered(await clack.select<string>({ message, options, ...streams })) as T,
    text: async (message, placeholder, problemOf) =>
      answered(await clack.text({ message, placeholder, ...validated(problemOf), ...streams })).trim(),
    secret: async (message, problemOf) =>
      answered(await clack.password({ message, clearOnError: true, ...validated(problemOf), ...streams })).trim(),
    confirm: async (message) => answered(await clack.confirm({ message, ...streams })),
    say: (text) => clack.log.step(text, streams),
    done: (text) => clack.log.success(text, streams),
    warn: (text) => clack.log.warn(text, streams),
    fail: (text) => clack.log.error(text, streams),
    print: (text) => void output.write(`${text}\n`),
    end: (text) => clack.outro(text, streams),
  };
}
