import { writeFileAtomically } from '../lib/write-file.ts';

/** Values that need no quotes. Others are quoted, because # starts a comment. */
const unquotedValue = /^[\w.:/@%+=,*?&~-]*$/;

function lineOf(name: string, value: string): string {
  if (unquotedValue.test(value)) return `${name}=${value}`;
  const quote = ["'", '`', '"'].find((sign) => !value.includes(sign));
  if (quote === undefined) throw new Error(`${name} has every kind of quote and can't be written to a file`);
  return `${name}=${quote}${value}${quote}`;
}

/** Sets these values in the text of an `.env` file. Keeps comments, other variables and their order. */
export function envText(currentText: string | undefined, values: Record<string, string>): string {
  const start = currentText ?? '# Written by npm run setup. Contains secrets: keep it private.\n';
  const missing = new Map(Object.entries(values));
  const lines = start
    .replace(/\n*$/, '')
    .split('\n')
    .map((line) => {
      const name = /^\s*(?:export\s+)?([A-Z_]+)\s*=/.exec(line)?.[1] ?? '';
      const value = missing.get(name);
      missing.delete(name);
      return value === undefined ? line : lineOf(name, value);
    });
  return `${[...lines, ...[...missing].map(([name, value]) => lineOf(name, value))].join('\n')}\n`;
}

/** Writes the file completely or not at all. Fails if another program has created it since it was read. */
export function saveEnvFile(
  path: string,
  currentText: string | undefined,
  values: Record<string, string>,
): Promise<void> {
  return writeFileAtomically(path, envText(currentText, values), { canReplace: currentText !== undefined });
}
