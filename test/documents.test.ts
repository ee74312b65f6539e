import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const documents = ['', 'src', 'manifest', 'test'].flatMap((folder) =>
  folder === ''
    ? ['README.md']
    : readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('README.md'))
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

test('the README has at most 250 lines and lists every configuration variable', () => {
  const readme = read('README.md');
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(250);
  const [, table = ''] = /const variables = z\.object\(\{(.*?)\n\}\);/s.exec(read('src/config.ts')) ?? [];
  const names = [...table.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name = '']) => name);
  expect(names).toContain('SECRET_KEY');
  for (const name of names) expect(readme, name).toContain(`\`${name}\``);
});

test('the code writes every log line that the documents quote', () => {
  const lines = [
    ...[...read('README.md').matchAll(/^\| (.+) \| (?:error|warn) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([a-z][^`]* [^`]*)`/g)].map(([, line = '']) => line),
    ),
    ...[...read('manifest/README.md').matchAll(/^\| `[a-z][^`]* [^`]*` \| `([^`]+)` \|$/gm)].map(
      ([, line = '']) => line,
    ),
  ];
  expect(lines.length).toBeGreaterThan(40);
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => read(join('src', path)))
    .join('\n');
  expect(lines.filter((line) => !sources.includes(`'${line}`))).toEqual([]);
});
