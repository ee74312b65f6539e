import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { init, parse } from 'es-module-lexer';
import { beforeAll, expect, test } from 'vitest';

/**
 * The parts of src, and what each can import in addition to Node's own modules: other parts and packages. Everything
 * else is forbidden, so a new part or a new dependency needs a line in this table.
 */
const parts: Record<string, { parts: string[]; packages: string[] }> = {
  // The client library imports neither Slack nor the store, and reads no environment.
  exchange: {
    parts: ['lib'],
    packages: ['undici', 'cheerio', 'zod'],
  },
  'store/embedded': { parts: ['lib'], packages: ['pg'] },
  store: {
    parts: ['lib', 'exchange'],
    packages: ['pg', 'keyv', '@keyv/postgres', 'zod'],
  },
  jobs: { parts: ['lib', 'store'], packages: ['pg', 'graphile-worker', 'zod'] },
  // Small pieces that every part can import.
  lib: { parts: [], packages: ['lru-cache', 'pino', 'prom-client', 'zod'] },
  // The malware scanner's client, and the detection of file types. It imports neither Slack nor features.
  scan: { parts: ['lib'], packages: ['file-type'] },
  'config.ts': { parts: ['lib'], packages: ['zod'] },
  // Checks everything that the bot needs to start. It changes nothing.
  check: {
    parts: ['lib', 'config.ts', 'scan', 'slack', 'store', 'store/embedded'],
    packages: ['@slack/web-api'],
  },
  // The guided setup.
  setup: {
    parts: ['lib', 'check', 'config.ts', 'slack', 'store'],
    packages: ['@clack/prompts'],
  },
  // Slack code that features share. It imports no feature.
  slack: {
    parts: ['lib', 'store'],
    packages: ['@slack/bolt', '@slack/socket-mode', '@slack/types', '@slack/web-api', 'undici', 'zod'],
  },
  // A feature's listeners and views import Slack; its operations don't (see the test below).
  features: {
    parts: ['lib', 'exchange', 'scan', 'store', 'jobs', 'slack'],
    packages: ['@slack/types', '@slack/web-api', 'csv-parse', 'lru-cache', 'pg', 'zod'],
  },
  // Shared by the two servers of the sandbox.
  'sandbox/node-http.ts': { parts: [], packages: [] },
  // The reference service shares no code with the client, so they can't share a bug. Its layers, from the bottom up:
  'sandbox/exchange/state': { parts: [], packages: [] },
  'sandbox/exchange/pages': { parts: ['sandbox/exchange/state'], packages: [] },
  'sandbox/exchange/http': { parts: ['sandbox/node-http.ts', 'sandbox/exchange/state'], packages: [] },
  'sandbox/exchange/api': {
    parts: ['sandbox/node-http.ts', 'sandbox/exchange/state', 'sandbox/exchange/pages', 'sandbox/exchange/http'],
    packages: [],
  },
  'sandbox/exchange/web': {
    parts: ['sandbox/node-http.ts', 'sandbox/exchange/state', 'sandbox/exchange/pages', 'sandbox/exchange/http'],
    packages: [],
  },
  'sandbox/exchange': {
    parts: [
      'sandbox/node-http.ts',
      'sandbox/exchange/state',
      'sandbox/exchange/pages',
      'sandbox/exchange/http',
      'sandbox/exchange/api',
      'sandbox/exchange/web',
    ],
    packages: [],
  },
  // The simulated workspace shares no code with the Slack client, for the same reason. Its layers, from the bottom up:
  'sandbox/slack/http.ts': { parts: ['sandbox/node-http.ts'], packages: [] },
  'sandbox/slack/check': { parts: [], packages: ['zod'] },
  'sandbox/slack/state': { parts: [], packages: [] },
  'sandbox/slack/delivery': { parts: ['sandbox/slack/state'], packages: ['ws'] },
  'sandbox/slack/api': {
    parts: ['sandbox/slack/http.ts', 'sandbox/slack/check', 'sandbox/slack/state', 'sandbox/slack/delivery'],
    packages: [],
  },
  'sandbox/slack/client': {
    parts: ['sandbox/slack/check', 'sandbox/slack/state', 'sandbox/slack/delivery', 'sandbox/slack/api'],
    packages: [],
  },
  // The two ways to use a person's client: methods for tests, and a page for browsers.
  'sandbox/slack/person': {
    parts: ['sandbox/slack/http.ts', 'sandbox/slack/state', 'sandbox/slack/client'],
    packages: [],
  },
  // Runs in the browser.
  'sandbox/slack/page/client': { parts: [], packages: [] },
  'sandbox/slack/page': {
    parts: [
      'sandbox/node-http.ts',
      'sandbox/slack/http.ts',
      'sandbox/slack/state',
      'sandbox/slack/client',
      'sandbox/slack/page/client',
    ],
    packages: [],
  },
  'sandbox/slack': {
    parts: [
      'sandbox/node-http.ts',
      'sandbox/slack/http.ts',
      'sandbox/slack/state',
      'sandbox/slack/delivery',
      'sandbox/slack/api',
      'sandbox/slack/person',
      'sandbox/slack/page',
      'sandbox/slack/page/client',
    ],
    packages: [],
  },
  // The sandbox starts the bot as a separate process and imports nothing from it.
  sandbox: { parts: ['sandbox/exchange', 'sandbox/slack'], packages: ['pg'] },
  // Runs a role: start and stop, HTTP, health, metrics, housekeeping.
  process: { parts: ['lib', 'config.ts', '.', 'features', 'jobs', 'slack', 'store'], packages: ['pg', 'zod'] },
  'main.ts': { parts: ['lib', 'config.ts', 'check', 'process', 'setup'], packages: [] },
  // app.ts and services.ts connect the parts.
  '.': {
    parts: ['lib', 'config.ts', 'exchange', 'features', 'jobs', 'scan', 'slack', 'store', 'store/embedded'],
    packages: ['@slack/bolt', 'pg', 'zod'],
  },
};

const src = resolve(import.meta.dirname, '../src');

interface Import {
  file: string;
  part: string;
  specifier: string;
  /** Whether loading the file also loads this module. False for type imports and `import()`. */
  isLoaded: boolean;
}

let imports: Import[] = [];

beforeAll(async () => {
  await init;
  imports = sourceFiles().flatMap((file) =>
    // Type imports count too: they also make one part depend on another.
    parse(readFileSync(file, 'utf8'))[0].flatMap((found) =>
      'specifier' in found && typeof found.specifier === 'string'
        ? [
            {
              file: relative(src, file),
              part: partOf(file),
              specifier: found.specifier,
              isLoaded: found.type === 'static' && !found.typeOnly,
            },
          ]
        : [],
    ),
  );
});

function sourceFiles(): string[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(src, name));
}

/** Returns the innermost part that contains the file. */
function partOf(file: string): string {
  const path = relative(src, file);
  const containing = Object.keys(parts).filter((part) => path === part || path.startsWith(`${part}/`));
  return containing.sort((a, b) => b.length - a.length)[0] ?? (path.includes('/') ? '' : '.');
}

test('every source file belongs to a part with import rules', () => {
  expect(sourceFiles().length).toBeGreaterThan(20);
  expect(sourceFiles().filter((file) => partOf(file) === '')).toEqual([]);
});

test('the lexer finds the imports of every file that has imports', () => {
  const seen = new Set(imports.map(({ file }) => file));
  const missed = sourceFiles().filter(
    (file) => /^import .* from '/m.test(readFileSync(file, 'utf8')) && !seen.has(relative(src, file)),
  );
  expect(missed).toEqual([]);
});

test('each part imports only the parts listed for it', () => {
  const wrong = imports.filter(({ file, part, specifier }) => {
    if (!specifier.startsWith('.')) return false;
    const target = partOf(resolve(src, dirname(file), specifier));
    return target !== part && !parts[part]?.parts.includes(target);
  });
  expect(wrong).toEqual([]);
});

test('each part imports only the packages listed for it', () => {
  const wrong = imports.filter(({ part, specifier }) => {
    if (specifier.startsWith('.') || specifier.startsWith('node:')) return false;
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
    return !parts[part]?.packages.includes(name);
  });
  expect(wrong).toEqual([]);
});

test('a worker loads neither Bolt nor rarely used modules', () => {
  const loaded = new Set(['process/run.ts']);
  for (const file of loaded) {
    for (const { specifier } of imports.filter((found) => found.file === file && found.isLoaded))
      loaded.add(specifier.startsWith('.') ? relative(src, resolve(src, dirname(file), specifier)) : specifier);
  }
  expect(loaded).toContain('features/jobs.ts');
  const unneeded = ['@slack/bolt', 'app.ts', 'features/routes.ts', 'file-type', 'csv-parse', '@clack/prompts'];
  expect(unneeded.filter((name) => loaded.has(name))).toEqual([]);
});

/** Files with jobs that use Slack themselves. */
const slackJobs = [
  'features/account/connect/jobs.ts',
  'features/account/install/jobs.ts',
  'features/inbox/download/jobs.ts',
  'features/inbox/move/jobs.ts',
  'features/inbox/reminders/jobs.ts',
  'features/receipts/jobs.ts',
  'features/transfers/checklist/jobs.ts',
  'features/transfers/copies/jobs.ts',
];

test('operations and all but the listed jobs never import Slack, not even indirectly', () => {
  const isStart = (file: string) => /^features\/.*\/(operations|jobs)\.ts$/.test(file) && !slackJobs.includes(file);
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

/** The files that contain the SQL of each table. The files of `wholeSchema` handle all tables. */
const owners: Record<string, readonly string[]> = {
  audit: ['store/audit.ts', 'store/chain.ts'],
  chains: ['store/chain.ts'],
  checkpoints: ['jobs/checkpoints.ts'],
  contact_edits: ['features/contacts/edit/repository.ts'],
  holds: ['features/transfers/holds/repository.ts'],
  inbox_items: [
    'features/inbox/items/repository.ts',
    'features/inbox/items/seen.ts',
    'features/inbox/items/sync.ts',
    'features/inbox/items/rows.ts',
    'features/inbox/announce/repository.ts',
    'features/inbox/reminders/repository.ts',
    'features/inbox/work/repository.ts',
  ],
  keyv: ['store/collections.ts', 'store/encrypted-keyv.ts', 'store/keyv-rows.ts', 'store/probe.ts'],
  migrations: ['store/migrate.ts'],
  pauses: ['features/pause/repository.ts'],
  // The sandbox only reads when the next poll is due.
  polls: ['features/inbox/poll/repository.ts', 'sandbox/database-clock.ts'],
  signing_keys: ['store/signing-keys.ts'],
  transfers: [
    'features/transfers/repository.ts',
    'features/transfers/answers/repository.ts',
    'features/transfers/history/repository.ts',
  ],
  uploads: ['features/transfers/uploads/repository.ts'],
};
const wholeSchema = ['store/encrypted-columns.ts', 'store/migrations.ts', 'store/purge.ts', 'store/retention.ts'];

/** The tables in protocol.txt, which is compared with a database. */
function tables(): string[] {
  const protocol = readFileSync(join(import.meta.dirname, 'upgrade/protocol.txt'), 'utf8');
  const [, columns = ''] = /^# Columns of the schema dropline\n(.*?)\n\n/ms.exec(protocol) ?? [];
  return [...new Set([...columns.matchAll(/^\w+/gm)].map(([table]) => table))];
}

test('a table is named only by its owners and by files that handle all tables', () => {
  expect(Object.keys(owners)).toEqual(tables());
  const files = sourceFiles().map((file) => relative(src, file));
  const named = Object.keys(owners).map((table) => {
    const expression = new RegExp(`\\bdropline\\.${table}\\b|columnCipher\\('${table}'`);
    const found = files.filter(
      (file) => !wholeSchema.includes(file) && expression.test(readFileSync(join(src, file), 'utf8')),
    );
    return [table, found.sort()];
  });
  expect(Object.fromEntries(named)).toEqual(
    Object.fromEntries(Object.entries(owners).map(([table, files]) => [table, [...files].sort()])),
  );
});

test('only the configuration reads the environment', () => {
  const readers = sourceFiles().filter((file) => /process\.env/.test(readFileSync(file, 'utf8')));
  expect(readers.map((file) => relative(src, file)).filter((file) => file !== 'config.ts')).toEqual([]);
});

test('the state of the simulated servers does no I/O', () => {
  const inState = imports.filter(({ part }) => /^sandbox\/\w+\/state$/.test(part));
  const modules = inState.map(({ specifier }) => specifier).filter((specifier) => specifier.startsWith('node:'));
  expect([...new Set(modules)].sort()).toEqual(['node:crypto', 'node:util']);
});

test('only the configuration, the check and the setup read the file .env', () => {
  const callers = sourceFiles().filter((file) => /\breadEnvironment\(/.test(readFileSync(file, 'utf8')));
  expect(callers.map((file) => relative(src, file)).sort()).toEqual(['config.ts', 'main.ts']);
  const readers = imports.filter(({ specifier }) => specifier.endsWith('/env-file.ts'));
  expect(readers.map(({ file }) => file).sort()).toEqual(['check/machine.ts', 'config.ts', 'setup/target.ts']);
});

/** The features that each feature can import: only those below it in this list, so there are no cycles. */
const features: Record<string, readonly string[]> = {
  receipts: ['inbox', 'transfers', 'audit', 'settings', 'common'],
  account: ['home', 'desks', 'inbox', 'transfers', 'contacts', 'pause', 'settings', 'common'],
  home: ['desks', 'inbox', 'transfers', 'pause', 'settings', 'common'],
  desks: ['inbox', 'transfers', 'contacts', 'settings', 'common'],
  contactcard: ['inbox', 'history', 'transfers', 'staging', 'contacts', 'settings', 'common'],
  status: ['files', 'inbox', 'transfers', 'scanning', 'pause', 'settings', 'common'],
  help: ['files', 'settings', 'common'],
  files: ['transfers', 'staging', 'settings', 'common'],
  inbox: ['transfers', 'scanning', 'pause', 'settings', 'common'],
  history: ['transfers', 'settings', 'common'],
  transfers: ['recipients', 'staging', 'contacts', 'scanning', 'pause', 'settings', 'common'],
  recipients: ['staging', 'contacts', 'settings', 'common'],
  staging: ['settings', 'common'],
  contacts: ['settings', 'common'],
  audit: ['settings', 'common'],
  scanning: ['settings', 'common'],
  pause: ['settings', 'common'],
  settings: ['common'],
  common: [],
};

test('each feature imports only the listed features, which are all below it', () => {
  const featureOf = (path: string) => /^features\/(\w+)\//.exec(path)?.[1];
  const order = Object.keys(features);
  const upwards = order.filter((one) => features[one]?.some((other) => order.indexOf(other) <= order.indexOf(one)));
  expect(upwards).toEqual([]);
  const folders = readdirSync(join(src, 'features'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual([...order].sort());
  const wrong = imports.filter(({ file, specifier }) => {
    const feature = featureOf(file);
    if (feature === undefined || !specifier.startsWith('.')) return false;
    const target = relative(src, resolve(src, dirname(file), specifier));
    if (!target.startsWith('features/')) return false;
    const other = featureOf(target);
    // Files directly in `features` combine the features. No feature imports them.
    return other === undefined || (other !== feature && !features[feature]?.includes(other));
  });
  expect(wrong).toEqual([]);
});

test('no two folders of a feature import each other', () => {
  const importing = new Map<string, Set<string>>();
  for (const { file, specifier } of imports.filter((found) => found.specifier.startsWith('.'))) {
    const folder = dirname(file);
    const target = dirname(relative(src, resolve(src, folder, specifier)));
    importing.set(folder, (importing.get(folder) ?? new Set()).add(target));
  }
  const isSameFeature = (one: string, other: string) => {
    const [, feature] = one.split('/');
    return one.startsWith('features/') && other.startsWith('features/') && other.split('/')[1] === feature;
  };
  const pairs = [...importing].flatMap(([folder, targets]) =>
    [...targets]
      .filter((target) => folder < target && isSameFeature(folder, target) && importing.get(target)?.has(folder))
      .map((target) => `${folder} <> ${target}`.replaceAll('features/', '')),
  );
  expect(pairs).toEqual([]);
});

test('the README explains each file name that occurs in two folders of features', () => {
  const names = sourceFiles()
    .filter((file) => relative(src, file).startsWith('features/'))
    .map((file) => basename(file));
  const shared = new Set(names.filter((name, index) => names.indexOf(name) < index));
  const rows = readFileSync(join(src, 'README.md'), 'utf8').matchAll(/^\| ((?:`[\w-]+\.ts`(?:, )?)+) \|/gm);
  const explained = [...rows].flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '));
  expect(explained.sort()).toEqual([...shared].sort());
});

test('a folder of features has at most 12 files', () => {
  const folders = sourceFiles()
    .map((file) => dirname(relative(src, file)))
    .filter((folder) => folder.startsWith('features'));
  const isFull = (folder: string) => folders.filter((other) => other === folder).length > 12;
  expect([...new Set(folders)].filter(isFull)).toEqual([]);
});

test('only one file of the features decides by role, by named people or by the sender', () => {
  const decides = [
    /\.roleOf\(/,
    /\b(admins|settings\.senders|requesters|downloaders|contactEditors|approvers|auditors)\??\.includes\(/,
    /\b(transfer|request|unsent)\??\.person [!=]== /,
  ];
  const files = sourceFiles().filter((file) => relative(src, file).startsWith('features/'));
  const deciding = files.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return decides.some((expression) => expression.test(text));
  });
  expect(deciding.map((file) => relative(src, file))).toEqual(['features/settings/permission.ts']);
});

test('there are no import cycles, not even of types', () => {
  const targets = new Map<string, string[]>();
  for (const { file, specifier } of imports) {
    if (specifier.startsWith('.')) {
      targets.set(file, [...(targets.get(file) ?? []), relative(src, resolve(src, dirname(file), specifier))]);
    }
  }
  const done = new Set<string>();
  const cycles: string[][] = [];
  const walk = (file: string, path: readonly string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file]);
    if (done.has(file) || path.includes(file)) return;
    for (const target of targets.get(file) ?? []) walk(target, [...path, file]);
    done.add(file);
  };
  for (const file of targets.keys()) walk(file, []);
  expect(cycles).toEqual([]);
});
