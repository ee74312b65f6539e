import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { commands, roles } from '../src/config.ts';
import type { UiServices } from '../src/features/common/ui-services.ts';
import { featureJobs } from '../src/features/jobs.ts';
import { featureRoutes } from '../src/features/routes.ts';
import { transferKinds } from '../src/features/transfers/repository.ts';
import { joinRoutes } from '../src/slack/routes.ts';
import { storedFormats } from '../src/stored-formats.ts';
import { storedNames } from '../src/stored-names.ts';
import { setUpApp } from './helpers/app.ts';
import { startTestPostgres } from './helpers/postgres.ts';

const postgres = startTestPostgres();
const src = resolve(import.meta.dirname, '../src');

/** The source files of the product, without the sandbox and the list itself. */
const paths = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !path.startsWith('sandbox') && path !== 'stored-names.ts',
);
const sources = paths.map((path) => readFileSync(join(src, path), 'utf8'));

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

const inSource = (expression: RegExp) =>
  sorted(sources.flatMap((text) => [...text.matchAll(expression)].map(([, name = '']) => name)));

test('the database has exactly the tables and columns in stored-names.ts', async () => {
  const { services } = await setUpApp(postgres, { connected: false });
  const { rows } = await services.store.pool.query<{ name: string; columns: string }>(
    `select table_name as name, string_agg(column_name, ' ' order by column_name) as columns
     from information_schema.columns where table_schema = 'dropline' group by 1 order by 1`,
  );
  expect(Object.fromEntries(rows.map(({ name, columns }) => [name, columns]))).toEqual(storedNames.tables);
});

test('jobs have exactly the names and payload ids in stored-names.ts', async () => {
  const { services } = await setUpApp(postgres, { connected: false });
  const { sweep, ...listed } = storedNames.jobs;
  const jobs = featureJobs(services).map(({ kind }) => [
    kind.name,
    Object.keys(z.toJSONSchema(kind.ids).properties ?? {}).join(' '),
  ]);
  expect(Object.fromEntries(jobs)).toEqual(listed);
  expect(sweep).toBe('');
  expect(inSource(/\bjobKind\('(sweep)', \[\]/g)).toEqual(['sweep']);
});

test.each([
  ['collections', /\bdefineCollection\(\s*'([^']+)'/g],
  ['jobKeys', /\bkey: `([^`$]+)/g],
  ['queues', /(?:accountQueue|withAccountLock|withCanonicalLock)\([^';]*'([^']+)'/g],
  ['locks', /(?:withLock\(\s*|uploadLock = [^`]*)`([^`$]+)/g],
  ['steps', /\bstep\(\s*'([^']+)'/g],
  ['auditActs', /(?:\baudited\((?:[^'`,]*,){2}\s*['`]|\bact: ')([^'`$]+)/g],
  ['hashLabels', /\.update\('([^']+)'\)/g],
  ['metrics', /\bcount\('([^']+)'/g],
] as const)('stored-names.ts lists exactly the %s of the source', (kind, expression) => {
  // The key of a transfer's job begins with its kind.
  const more = kind === 'jobKeys' ? transferKinds.map((one) => `${one} `) : [];
  expect(sorted([...inSource(expression), ...more])).toEqual([...storedNames[kind]]);
});

const routes = joinRoutes(featureRoutes({} as UiServices));

test.each([
  ['actions', routes.actions],
  ['forms', routes.forms],
  ['shortcuts', routes.shortcuts],
  ['suggestions', routes.options],
] as const)('stored-names.ts lists exactly the %s that have a listener', (kind, table) => {
  expect(Object.keys(table).sort()).toEqual([...storedNames[kind]]);
});

const namesInSamples = { fields: new Set<string>(), links: new Set<string>() };

beforeAll(async () => {
  const folder = new URL('./views/samples/', import.meta.url);
  for (const file of readdirSync(folder)) collect((await import(new URL(file, folder).href)).samples);
});

function collect(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { type, block_id: block, action_id: action } = value as Record<string, unknown>;
  if (type === 'input' && typeof block === 'string') namesInSamples.fields.add(block);
  if (typeof action === 'string' && action.startsWith('link.')) namesInSamples.links.add(action.split('#')[0] ?? '');
  for (const part of Object.values(value)) collect(part);
}

test('stored-names.ts lists exactly the fields of all forms', () => {
  expect(sorted(namesInSamples.fields)).toEqual([...storedNames.fields]);
});

test('stored-names.ts lists exactly the buttons that open pages', () => {
  expect(sorted([...namesInSamples.links, ...inSource(/'(link\.\w+)'/g)])).toEqual([...storedNames.links]);
});

test('stored-names.ts lists exactly the roles and commands of the main program', () => {
  expect(sorted([...roles, ...commands])).toEqual([...storedNames.roles]);
});

test('stored-names.ts lists exactly the fields and values of stored JSON', async () => {
  for (const path of paths) if (/^(?:features|slack|store|jobs)\//.test(path)) await import(join(src, path));
  const { schemas } = z.toJSONSchema(storedFormats, { io: 'input', unrepresentable: 'any' });
  const formats = Object.entries(schemas).map(([name, schema]) => [name, sorted(fieldsIn(schema as Schema)).join(' ')]);
  expect(Object.fromEntries(formats)).toEqual(storedNames.formats);
});

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  const?: unknown;
  enum?: unknown[];
}

/** Paths such as `files[].name`, and `state=done` for fixed values. */
function fieldsIn(schema: Schema, path = ''): string[] {
  const { properties = {}, items, additionalProperties: rest, anyOf = [], oneOf = [], enum: values = [] } = schema;
  const inner = [
    ...Object.entries(properties).flatMap(([name, value]) => fieldsIn(value, path === '' ? name : `${path}.${name}`)),
    ...(items === undefined ? [] : fieldsIn(items, `${path}[]`)),
    ...(typeof rest === 'object' && Object.keys(rest).length > 0 ? fieldsIn(rest, `${path}{}`) : []),
    ...[...anyOf, ...oneOf].flatMap((one) => fieldsIn(one, path)),
    ...['const' in schema ? [schema.const] : [], values].flat().map((value) => `${path}=${value}`),
  ];
  return inner.length > 0 || path === '' ? inner : [path];
}

test.each([
  ['dispatches.kind', /\btransferKinds = ([^;]+);/],
  ['dispatches.state', /\btransferStates = ([^;]+);/],
  ['contact_images.outcome', /\btype ImageOutcome = ([^;]+);/],
  ['holds.reason', /\btype HoldReason = ([^;]+);/],
] as const)('stored-names.ts lists exactly the values of %s', (column, expression) => {
  const [, type = ''] = sources.map((text) => expression.exec(text)).find((found) => found !== null) ?? [];
  expect([...type.matchAll(/'([^']+)'/g)].map(([, value]) => value)).toEqual([...storedNames.values[column]]);
});
