import { writeFileAtomically } from '../write-file.ts';

/** Values that need no quotes. Others are quoted, because # starts a comment. */
const plain = /^[\w.:/@%+=,*?&~-]*$/;

function lineOf(name: string, value: string): string {
  if (plain.test(value)) return `${name}=${value}`;
  const quote = ["'", '`', '"'].find((sign) => !value.includes(sign));
  if (quote === undefined) throw new Error(`${name} has every kind of quote and can't be written to a file`);
  return `${name}=${quote}${value}${quote}`;
}

/** The text of the file with these values. Keeps comments, other variables and their order. */
export function envText(before: string | undefined, values: Record<string, string>): string {
  const start = before ?? '# Written by npm run setup. Contains secrets: keep it private.\n';
  const rest = new Map(Object.entries(values));
  const lines = start
    .replace(/\n*$/, '')
    .split('\n')
    .map((line) => {
      const name = /^\s*(?:export\s+)?([A-Z_]+)\s*=/.exec(line)?.[1] ?? '';
      const value = rest.get(name);
      rest.delete(name);
      return value === undefined ? line : lineOf(name, value);
    });
  return `${[...lines, ...[...rest].map(([name, value]) => lineOf(name, value))].join('\n')}\n`;
}

/** Writes the file completely or not at all. Fails if the file was created in the meantime. */
export function saveEnvFile(path: string, before: string | undefined, values: Record<string, string>): Promise<void> {
  return writeFileAtomically(path, envText(before, values), { canReplace: before !== undefined });
}
