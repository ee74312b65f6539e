import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { init, parse } from 'es-module-lexer';
import { beforeAll, expect, test } from 'vitest';

/**
 * The rooms of src, and what each may import: other rooms, packages, Node's own modules. What is not allowed here is
 * forbidden, so a new room or a new dependency is a line in this table.
 */
const rooms: Record<string, { rooms: string[]; packages: string[] }> = {
  // The client library knows neither Slack nor the store, and reads no environment.
  exchange: { rooms: ['bounds.ts'], packages: ['undici', 'cheerio', 'zod'] },
  'store/embedded': { rooms: [], packages: ['pg'] },
  store: { rooms: ['bounds.ts', 'cut-down.ts', 'exchange'], packages: ['pg', 'keyv', '@keyv/postgres', 'zod'] },
  jobs: { rooms: ['bounds.ts', 'store'], packages: ['pg', 'graphile-worker', 'zod'] },
  // The files of src itself that others may know: errors with a sentence for people, answers that are kept for a while,
  // limits of what strangers can send.
  'bounds.ts': { rooms: [], packages: [] },
  'cut-down.ts': { rooms: [], packages: [] },
  'loopback.ts': { rooms: [], packages: [] },
  'errors.ts': { rooms: ['bounds.ts'], packages: [] },
  'kept.ts': { rooms: [], packages: [] },
  'lines.ts': { rooms: [], packages: [] },
  // What features share of Slack; it knows no feature.
  slack: {
    rooms: ['bounds.ts', 'errors.ts', 'kept.ts', 'lines.ts', 'loopback.ts', 'store'],
    packages: ['@slack/bolt', '@slack/types', '@slack/web-api', 'undici', 'zod'],
  },
  // Of a feature, what listens and shows knows Slack; its operations do not (see below).
  features: {
    rooms: ['bounds.ts', 'errors.ts', 'kept.ts', 'lines.ts', 'exchange', 'store', 'jobs', 'slack'],
    packages: ['@slack/types', '@slack/web-api', 'csv-parse', 'pg', 'zod'],
  },
  // The reference service shares no line with the client, so that they cannot share a mistake.
  'sandbox/exchange': { rooms: [], packages: [] },
  // Nor does the simulated workspace share one with what talks to it.
  'sandbox/slack': { rooms: [], packages: [] },
  // It starts the bot as a process of its own, and imports nothing of it.
  sandbox: { rooms: ['sandbox/exchange', 'sandbox/slack'], packages: [] },
  // The files of src itself put the rest together. Nothing imports them, and they never import the sandbox.
  '.': {
    rooms: [
      'bounds.ts',
      'cut-down.ts',
      'errors.ts',
      'kept.ts',
      'loopback.ts',
      'exchange',
      'features',
      'jobs',
      'slack',
      'store',
      'store/embedded',
    ],
    packages: ['@slack/bolt', 'pg', 'pino', 'zod'],
  },
};

const src = resolve(import.meta.dirname, '../src');

interface Import {
  file: string;
  room: string;
  specifier: string;
}

let imports: Import[] = [];

beforeAll(async () => {
  await init;
  imports = sourceFiles().flatMap((file) =>
    // Types are imports too: knowing another room's types is knowing that room.
    parse(readFileSync(file, 'utf8'))[0].flatMap((found) =>
      'specifier' in found && typeof found.specifier === 'string'
        ? [{ file: relative(src, file), room: roomOf(file), specifier: found.specifier }]
        : [],
    ),
  );
});

function sourceFiles(): string[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(src, name));
}

/** The longest room that contains the file. */
function roomOf(file: string): string {
  const path = relative(src, file);
  const containing = Object.keys(rooms).filter((room) => path === room || path.startsWith(`${room}/`));
  return containing.sort((a, b) => b.length - a.length)[0] ?? (path.includes('/') ? '' : '.');
}

test('every source file belongs to a room', () => {
  expect(sourceFiles().length).toBeGreaterThan(20);
  expect(sourceFiles().filter((file) => roomOf(file) === '')).toEqual([]);
});

test('the lexer sees the imports of every file that has one', () => {
  const seen = new Set(imports.map(({ file }) => file));
  const missed = sourceFiles().filter(
    (file) => /^import .* from '/m.test(readFileSync(file, 'utf8')) && !seen.has(relative(src, file)),
  );
  expect(missed).toEqual([]);
});

test('rooms import only from the rooms that they may know', () => {
  const wrong = imports.filter(({ file, room, specifier }) => {
    if (!specifier.startsWith('.')) return false;
    const target = roomOf(resolve(src, dirname(file), specifier));
    return target !== room && !rooms[room]?.rooms.includes(target);
  });
  expect(wrong).toEqual([]);
});

test('rooms use only the packages that they may know', () => {
  const wrong = imports.filter(({ room, specifier }) => {
    if (specifier.startsWith('.') || specifier.startsWith('node:')) return false;
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
    return !rooms[room]?.packages.includes(name);
  });
  expect(wrong).toEqual([]);
});

test('operations and their jobs know no Slack, nor does anything that they use', () => {
  const isStart = (file: string) => /^features\/\w+\/(operations|job)\.ts$/.test(file);
  const reached = new Set(
    sourceFiles()
      .map((file) => relative(src, file))
      .filter(isStart),
  );
  expect(reached.size).toBeGreaterThan(10);
  for (const file of reached) {
    for (const { specifier } of imports.filter((found) => found.file === file && found.specifier.startsWith('.'))) {
      reached.add(relative(src, resolve(src, dirname(file), specifier)));
    }
  }
  expect([...reached].filter((file) => file.startsWith('slack/'))).toEqual([]);
  const packages = imports.filter(({ file, specifier }) => reached.has(file) && specifier.startsWith('@slack/'));
  expect(packages).toEqual([]);
});

test('only the configuration reads the environment', () => {
  const readers = sourceFiles().filter((file) => /process\.env/.test(readFileSync(file, 'utf8')));
  expect(readers.map((file) => relative(src, file)).filter((file) => file !== 'config.ts')).toEqual([]);
});
