import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { variables } from '../src/config.ts';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const documents = ['', '.github', 'src', 'manifest', 'test'].flatMap((folder) =>
  folder === ''
    ? ['README.md', 'CHANGELOG.md']
    : readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.md'))
        .map((path) => join(folder, path)),
);

test('every link to a file or heading in a document leads to an existing one', () => {
  const broken = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
      if (/^https?:/.test(link)) return [];
      const [file = '', heading] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(root, target))) return [`${path}: ${link}`];
      if (heading === undefined) return [];
      return headingsOf(target).includes(heading) ? [] : [`${path}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

/** The anchors of a document's headings, in the format of GitHub. */
function headingsOf(path: string): string[] {
  return [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

test('every source file mentioned in a README exists', () => {
  const sources = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }),
  );
  const missing = documents
    .flatMap((path) => [...read(path).matchAll(/`([\w/.-]+\.ts)`/g)].map(([, name = '']) => name))
    .filter((name) => !existsSync(join(root, name)))
    .filter((name) => !sources.some((file) => file === name || file.endsWith(`/${name}`)));
  expect(missing).toEqual([]);
});

/** The starts of the table cells that are too long. This list only shrinks: shorten a cell and remove its line here. */
const longCells = [
  'test/README.md: `kill -9` at every call and between stat',
  'test/README.md: random and mutated inputs for every',
  'test/README.md: 1,000 and 10,000 workspaces polled by one',
  'test/README.md: 1 MiB, 64 MiB and 1 GiB from Slack to the',
  'test/README.md: how many commands are acknowledged',
  'test/README.md: one web process with one worker and with',
];

test('table cells have at most 160 characters, except the listed ones', () => {
  const rows = documents.flatMap((path) => [...read(path).matchAll(/^\|.+/gm)].map(([row]) => ({ path, row })));
  expect(rows.length).toBeGreaterThan(100);
  const long = rows.flatMap(({ path, row }) =>
    row
      .split(/(?<!\\)\|/)
      .filter((cell) => cell.trim().length > 160)
      .map((cell) => `${path}: ${cell.trim()}`),
  );
  expect(long.filter((cell) => !longCells.some((start) => cell.startsWith(start)))).toEqual([]);
  expect(longCells.filter((start) => !long.some((cell) => cell.startsWith(start)))).toEqual([]);
});

test('the manual lists every configuration variable', () => {
  const manual = read('manifest/configuration.md');
  const names = Object.keys(variables.shape);
  expect(names).toContain('SECRET_KEY');
  for (const name of names) expect(manual, name).toContain(`\`${name}\``);
});

/** The log lines that a table of the manual explains. `…` stands for any text. */
function explainedLines(heading: string): string[] {
  const [, section = ''] = read('manifest/monitoring/README.md').split(`## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  return [...text.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, line = '']) => line),
  );
}

/** The text of each log line of a level; the whole call, if its text isn't written there. `${…}` becomes `…`. */
function loggedLines(level: 'error' | 'warn'): string[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((path) => path.endsWith('.ts') && !/^(?:sandbox|setup)\b/.test(path));
  return sources.flatMap((path) => {
    const source = read(join('src', path));
    return [...source.matchAll(new RegExp(`(?:[lL]og\\??\\.${level}| ${level}(?=\\(\\{))\\(`, 'g'))].map(
      ({ index }) => {
        const call = callAt(source, index);
        const [, text = call] = /['`]([^'`]+)['`],?\s*\)$/.exec(call) ?? [];
        return text.replace(/\$\{[^}]*\}/g, '…').trim();
      },
    );
  });
}

/** The source from `start` to the bracket that closes the first one. */
function callAt(source: string, start: number): string {
  let depth = 0;
  for (let end = source.indexOf('(', start); end < source.length; end += 1) {
    depth += Number(source[end] === '(') - Number(source[end] === ')');
    if (depth === 0) return source.slice(start, end + 1);
  }
  throw new Error('a bracket is missing');
}

/** Calls that pass on a text, with the lines that they write. */
const passedOn: Record<string, readonly string[]> = {
  'log.warn(fields, message)': ['transfer ended'],
  'job …': ['job failed', 'job given up'],
  'log?.warn(details, message)': [],
  'log?.warn({ scope: scope.label }, message)': [],
  'log.warn({}, format(...values))': [],
};

test.each([
  { level: 'error', heading: 'Errors in the log', others: ['failed'] },
  { level: 'warn', heading: 'Warnings in the log', others: ['slack: …'] },
] as const)('the manual explains each $level of the log, and no other', ({ level, heading, others }) => {
  const logged = loggedLines(level).flatMap((line) => passedOn[line] ?? [line]);
  expect(logged.length).toBeGreaterThan(10);
  const startOf = (line: string) => line.split(':')[0];
  expect(new Set(explainedLines(heading).map(startOf))).toEqual(
    new Set([...logged.map(startOf), ...others.map(startOf)]),
  );
});
