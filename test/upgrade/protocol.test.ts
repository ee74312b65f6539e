import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { transferKinds as shownKinds } from '../../src/features/transfer-kinds.ts';
// Importing these two loads every module that defines a stored format.
import '../../src/app.ts';
import '../../src/process/run.ts';
import { commands, roles, variables } from '../../src/config.ts';
import { featureJobs } from '../../src/features/jobs.ts';
import { pauseTargets } from '../../src/features/pause/repository.ts';
import { featureRoutes } from '../../src/features/routes.ts';
import { peopleSettings, permissionSettings } from '../../src/features/settings/repository.ts';
import { settingNames } from '../../src/features/settings/table/definitions.ts';
import type { TransferUiServices } from '../../src/features/transfers/shown-kind.ts';
import { transferStates } from '../../src/features/transfers/states.ts';
import { transferKinds } from '../../src/features/transfers/transfer.ts';
import { metricDefinitions } from '../../src/lib/metrics.ts';
import { storedFormats } from '../../src/lib/stored-formats.ts';
import { housekeeping } from '../../src/process/housekeeping.ts';
import type { OpenedServices } from '../../src/services.ts';
import { joinRoutes } from '../../src/slack/routes.ts';
import { auditActions } from '../../src/store/audit-actions.ts';
import { encryptedColumns } from '../../src/store/encrypted-columns.ts';
import type { Store } from '../../src/store/index.ts';
import { digestOf } from '../../src/store/migrate.ts';
import { migrations } from '../../src/store/migrations.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { setUpStore } from '../helpers/store.ts';

const postgres = startTestPostgres();

test('protocol.txt lists everything that outlives a process', async () => {
  const { store } = await setUpStore(postgres);
  const sections = {
    'Migrations, with the digests of their SQL': migrations.map(
      (one, index) => `${String(index + 1).padStart(3, '0')} ${one.name} ${digestOf(one)}`,
    ),
    'Columns of the schema dropline': await columns(store),
    'Encrypted columns, and the id in their encryption context': encryptedColumns.map(
      ({ table, column, id }) => `${table}.${column} ${id}`,
    ),
    'Values of columns': [
      ...transferKinds.map((value) => `transfer kind: ${value}`),
      ...transferStates.map((value) => `transfer state: ${value}`),
      ...pauseTargets.map((value) => `pause target: ${value}`),
      ...unionInSource(/\btype HoldReason = ([^;]+);/g).map((value) => `hold reason: ${value}`),
      ...unionInSource(/\btype SentOutcome = ([^;]+);/g).map((value) => `contact edit outcome: ${value}`),
    ],
    'Labels that separate the uses of a hash': inSource(/\.update\('([^']+)'\)/g),
    'JSON in collections, encrypted columns, views and buttons': formats(),
    'Jobs, with the ids in their payloads': jobs(store),
    'Keys of jobs': inSource(/\bkey(?::| =) `([^`]+)`/g),
    'Queues, which are also locks': [
      ...unionInSource(/\bfunction accountQueue\(kind: ([^,]+),/g).map((kind) => `${kind}:*`),
      ...inSource(/Queue = \([^)]*\) =>\s+`([^`]+)`/g),
    ],
    Locks: inSource(/(?:\bwithLock\(\s*|Lock = [^`;]*|\blockNameOf\([^`;]*)`([^`]+)`/g),
    'Steps of jobs': inSource(/\bstep\(\s*'([^']+)'/g),
    'Actions in the audit': Object.keys(auditActions),
    ...slackNames(),
    // test/views/limits.test.ts compares them with the samples of all forms.
    'Fields of forms': [
      ...inSource(/\b(?:field|\w+Field|checkboxes)\(\s*'([a-z]\w*)'/g),
      ...inSource(/\bsearchField(?::| =) '(\w+)'/g),
      ...settingNames,
      ...Object.values(permissionSettings).map((name) => `${name}People`),
      ...peopleSettings.map((name) => `${name}Channels`),
    ],
    'Buttons that open pages': inSource(/'(link\.\w+)'/g),
    'Metrics, with their labels': Object.entries(metricDefinitions).map(([name, { labels = [] }]) =>
      [name, ...labels].join(' '),
    ),
    'HTTP paths': inSource(/(?:\b(?:path|pathname|url) [!=]== |\bpath\.startsWith\(|Path = )'(\/[^']*)'/g),
    'Roles and commands of the program': [...roles, ...commands],
    'Environment variables': Object.keys(variables.shape),
  };
  const text = Object.entries(sections)
    .map(([title, names]) => `# ${title}\n${[...new Set(names)].sort().join('\n')}\n`)
    .join('\n');
  await expect(text, 'If this change is intended, npm run protocol accepts it').toMatchFileSnapshot('protocol.txt');
});

async function columns({ pool }: Store): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `select concat_ws(' ', table_name || '.' || column_name, data_type, case is_nullable when 'NO' then 'not null' end)
       as line from information_schema.columns where table_schema = 'dropline'`,
  );
  return rows.map(({ line }) => line);
}

const src = resolve(import.meta.dirname, '../../src');
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !/^(?:sandbox|exchange)\b/.test(path))
  .map((path) => readFileSync(join(src, path), 'utf8'));

/** The first group of every match. There must be one, so that an expression that no longer fits is noticed. */
function matchesInSource(expression: RegExp): string[] {
  const found = sources.flatMap((text) => [...text.matchAll(expression)].map(([, match = '']) => match));
  expect(found, String(expression)).not.toEqual([]);
  return found;
}

/** Names in the source. `${…}` in a template becomes `*`. */
const inSource = (expression: RegExp) =>
  matchesInSource(expression).map((name) => name.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '*'));

/** The values of a union of strings. */
const unionInSource = (expression: RegExp) =>
  matchesInSource(expression).flatMap((union) => [...union.matchAll(/'([^']+)'/g)].map(([, value = '']) => value));

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  const?: unknown;
  enum?: unknown[];
}

function formats(): string[] {
  const { schemas } = z.toJSONSchema(storedFormats, { io: 'input', unrepresentable: 'any' });
  return Object.entries(schemas).flatMap(([name, schema]) =>
    fieldsIn(schema as Schema).map((field) => `${name}: ${field}`),
  );
}

/** Lines such as `files[].name string`, `state "done"` for a fixed value, and `person? string` for an optional field. */
function fieldsIn(schema: Schema, path = ''): string[] {
  const { properties = {}, required = [], items, additionalProperties: rest, anyOf = [], oneOf = [] } = schema;
  const values = 'const' in schema ? [schema.const] : (schema.enum ?? []);
  const inner = [
    ...Object.entries(properties).flatMap(([name, value]) =>
      fieldsIn(value, `${path && `${path}.`}${name}${required.includes(name) ? '' : '?'}`),
    ),
    ...(items === undefined ? [] : fieldsIn(items, `${path}[]`)),
    ...(typeof rest === 'object' && Object.keys(rest).length > 0 ? fieldsIn(rest, `${path}{}`) : []),
    ...[...anyOf, ...oneOf].flatMap((one) => fieldsIn(one, path)),
    ...values.map((value) => `${path} ${JSON.stringify(value)}`.trim()),
  ];
  return inner.length > 0 ? inner : [`${path} ${schema.type ?? 'any'}`.trim()];
}

function jobs(store: Store): string[] {
  // The other services are used only when a job runs.
  const services = { store, kinds: shownKinds } as OpenedServices;
  return [housekeeping(services).handler, ...featureJobs(services)].map(({ kind }) =>
    [kind.name, ...Object.keys(z.toJSONSchema(kind.ids).properties ?? {})].join(' '),
  );
}

/** What a message, a form, a manifest or a person refers to by name. */
function slackNames(): Record<string, string[]> {
  // The listeners use the services only when something happens.
  const routes = joinRoutes(featureRoutes({} as TransferUiServices));
  return {
    'Subcommands of /drop, with their aliases': Object.entries(routes.commands).flatMap(([name, { aliases = [] }]) => [
      name,
      ...aliases,
    ]),
    'Actions of buttons and menus': Object.keys(routes.actions),
    Forms: Object.keys(routes.forms),
    Shortcuts: Object.keys(routes.shortcuts),
    'Fields with suggestions': Object.keys(routes.options),
    'Events of Slack': Object.keys(routes.events),
  };
}
