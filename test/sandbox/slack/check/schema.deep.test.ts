import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, expect, test } from 'vitest';
import { checkMessage, checkView, type Problem } from '../../../../src/sandbox/slack/check/index.ts';
import { describeIf, noShared } from '../../../helpers/skips.ts';
import { divider, modal, mrkdwn, plain } from './helper.ts';
import { isObject, membersOf, removed, replaced } from './mutations.ts';
import { readSamples, readSchema, type Sample, sharedIsAbsent } from './samples.ts';
import { schemaExamples, stricter } from './schema-differences.ts';

type Surface = Sample['surface'];

interface Comparison {
  what: string;
  /** What our checks refuse; undefined if they accept the value. */
  ours: Problem | undefined;
  schemaAccepts: boolean;
}

const title = 'the checks and the JSON Schema of Block Kit';

describeIf(!sharedIsAbsent, noShared, title, () => {
  let compare: Compare;
  let sampleComparisons: Comparison[];
  let blockComparisons: Comparison[];
  let viewComparisons: Comparison[];
  let exampleComparisons: Comparison[];

  beforeAll(() => {
    compare = createComparer();
    const samples = readSamples();
    sampleComparisons = samples.map(({ name, surface, blocks, view }) => compare(name, surface, blocks, view));
    const blocks = samples.flatMap(({ name, surface, blocks }) =>
      blocks.map((block) => [shapeOf(block), { name, surface, block }] as const),
    );
    blockComparisons = [...new Map(blocks).values()].flatMap(({ name, surface, block }) =>
      variantsOf(block).map(([what, variant]) => compare(`${name}: ${what}`, surface, [variant])),
    );
    viewComparisons = samples
      .filter(({ surface }) => surface !== 'message')
      .flatMap(({ name, surface, view }) =>
        variantsOf(view).map(([what, variant]) => compare(`${name}: ${what}`, surface, [divider()], Object(variant))),
      );
    exampleComparisons = schemaExamples().flatMap(([name, surface, block]) =>
      variantsOf(block).map(([what, variant]) => compare(`${name}: ${what}`, surface, [variant])),
    );
  });

  test("our checks and Tightknit's schema agree on Slack's samples", () => {
    expect(unexplained(sampleComparisons)).toEqual([]);
    // If most samples were refused, the agreement would prove little.
    expect(sampleComparisons.filter(({ ours }) => ours === undefined).length).toBeGreaterThan(25);
  });

  test("our checks and Tightknit's schema agree on modified blocks of the samples", () => {
    expect(blockComparisons.length).toBeGreaterThan(3000);
    expect(unexplained(blockComparisons)).toEqual([]);
  });

  test("our checks and Tightknit's schema agree on modified views of the samples", () => {
    expect(viewComparisons.length).toBeGreaterThan(300);
    expect(unexplained(viewComparisons)).toEqual([]);
  });

  test("our checks and Tightknit's schema agree on modified examples of each block", () => {
    expect(exampleComparisons.length).toBeGreaterThan(3000);
    expect(unexplained(exampleComparisons)).toEqual([]);
  });

  test("each listed difference between our checks and Tightknit's schema occurs", () => {
    const all = [sampleComparisons, blockComparisons, viewComparisons, exampleComparisons].flat();
    const found = new Set(all.flatMap(({ ours, schemaAccepts }) => (schemaAccepts && ours ? messagesOf(ours) : [])));
    expect(stricter.filter(([message]) => ![...found].some((one) => message.test(one)))).toEqual([]);
  });
});

type Compare = (what: string, surface: Surface, blocks: unknown, view?: object) => Comparison;

function createComparer(): Compare {
  const ajv = new Ajv2020({ strict: false });
  ajv.addFormat('uri', (text: string) => URL.canParse(text));
  ajv.addSchema(readSchema(), 'kit');
  const accepts = {
    message: ajv.compile({ $ref: 'kit' }),
    modal: ajv.compile({ $ref: 'kit#/$defs/modal_view' }),
    home: ajv.compile({ $ref: 'kit#/$defs/home_view' }),
  };
  return (what, surface, blocks, view = {}) => {
    const fullView = surface === 'modal' ? modal(blocks, view) : { type: 'home', blocks, ...view };
    const ours = surface === 'message' ? checkMessage({ blocks }) : checkView(fullView);
    return { what, ours, schemaAccepts: accepts[surface](surface === 'message' ? blocks : fullView) };
  };
}

/** Values that only our checks accept, and values that only our checks refuse for a reason that isn't listed. */
function unexplained(comparisons: Comparison[]): string[] {
  return comparisons.flatMap(({ what, ours, schemaAccepts }) => {
    if (!ours) return schemaAccepts ? [] : [`${what} is accepted by us`];
    if (!schemaAccepts) return [];
    const unknown = messagesOf(ours).filter((message) => !stricter.some(([known]) => known.test(message)));
    return unknown.length === 0 ? [] : [`${what}: ${unknown.join('; ')}`];
  });
}

/** A string that is equal for values that differ only in their texts. */
function shapeOf(block: unknown): string {
  return JSON.stringify(block, (key, value) => (typeof value === 'string' && key !== 'type' ? '' : value));
}

function messagesOf({ error, messages }: Problem): string[] {
  return messages.length === 0 ? [error] : messages;
}

function variantsOf(block: unknown): [what: string, variant: unknown][] {
  const variants: [string, unknown][] = [['as it is', block]];
  const seen = new Set<string>();
  for (const { path, value } of membersOf(block)) {
    // Modify only the first of similar list entries.
    const shape = `${path.map((key) => (typeof key === 'number' ? '*' : key)).join('/')} ${shapeOf(value)}`;
    if (path.length === 0 || seen.has(shape)) continue;
    seen.add(shape);
    if (typeof path.at(-1) === 'string') variants.push([`${path.join('/')} removed`, removed(block, path)]);
    for (const other of replacementsFor(value)) {
      variants.push([`${path.join('/')} = ${JSON.stringify(other).slice(0, 60)}`, replaced(block, path, other)]);
    }
  }
  return variants;
}

function replacementsFor(value: unknown): unknown[] {
  if (typeof value === 'string') return [null, 5, '', ...[76, 151, 256, 2001, 3001].map((n) => 'x'.repeat(n))];
  if (typeof value === 'number') return [null, 'x', -1, 1.5];
  if (Array.isArray(value)) {
    return [null, {}, [], [...value, ...value], ...[6, 11, 101].map((n) => Array(n).fill(value[0]))];
  }
  if (!isObject(value)) return [null, 'x'];
  return [null, 'x', { ...value, surplus: 1 }, ...('text' in value ? [plain(), mrkdwn()] : [])];
}
