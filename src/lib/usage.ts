import { type ParseArgsConfig, parseArgs } from 'node:util';

/** A command got an argument that it doesn't accept. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O; strict: true }>>['values'];

/** The options of a command. With --help, prints the usage and returns undefined. */
export function readOptions<const O extends Options>(args: string[], usage: string, options: O): Values<O> | undefined {
  return readArguments(args, usage, options, false)?.values;
}

/** The options of a command, and its other arguments, if it takes any. */
export function readArguments<const O extends Options>(
  args: string[],
  usage: string,
  options: O,
  allowPositionals = true,
): { values: Values<O>; positionals: string[] } | undefined {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage);
    return undefined;
  }
  try {
    return parseArgs({ args, options, strict: true, allowPositionals });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}
