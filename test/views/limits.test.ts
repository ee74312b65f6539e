import { readdirSync, readFileSync } from 'node:fs';
import type { ViewOutput } from '@slack/bolt';
import type { KnownBlock, ModalView } from '@slack/types';
import { expect, test } from 'vitest';
import type { Json } from '../../src/sandbox/slack/index.ts';
import { escapePlainText, normalizeBlocks } from '../../src/sandbox/slack/state/blocks.ts';
import { formWithError } from '../../src/slack/rebuilt-form.ts';
import { unescaped } from '../../src/slack/unescape.ts';
import { allSamples, problemOf, sampledFeatures } from './all-samples.ts';
import type { Sample } from './hostile-texts.ts';

const all = (await allSamples()).map(({ feature, name, sample }): [string, Sample] => [`${feature}: ${name}`, sample]);

test('every feature with views has samples', () => {
  const features = new URL('../../src/features/', import.meta.url);
  const samples = new Set(sampledFeatures);
  const viewFolders = readdirSync(features, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\/(views|form)\.ts$/.test(path))
    .map((path) => path.split('/').slice(0, -1));
  expect(viewFolders.length).toBeGreaterThan(15);
  expect(viewFolders.filter((path) => !path.some((part) => samples.has(part)))).toEqual([]);
});

test.each(all)("%s is within Slack's limits", (_, sample) => {
  expect(problemOf(sample)).toBeUndefined();
});

test.each(all)('%s contains no markup that Slack would parse', (_, sample) => {
  expect(JSON.stringify(sample)).not.toContain('"mrkdwn"');
  if (!('type' in sample)) expect(sample.text).not.toMatch(/<[!@#h]/);
});

test.each(all)('%s shows no bidi control characters, except in input values', (_, { blocks }) => {
  const shownJson = JSON.stringify(blocks, (key, value) =>
    key === 'initial_value' || key === 'value' ? undefined : value,
  );
  expect(shownJson).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
});

test('protocol.txt lists the fields of all forms', () => {
  const blocks = all.flatMap(([, sample]) => sample.blocks);
  const fields = blocks.flatMap(({ type, block_id: name }) => (type === 'input' && name !== undefined ? [name] : []));
  const protocol = readFileSync(new URL('../upgrade/protocol.txt', import.meta.url), 'utf8');
  const [, listed] = /^# Fields of forms\n(.*?)\n\n/ms.exec(protocol) ?? [];
  expect([...new Set(fields)].sort()).toEqual(listed?.split('\n'));
});

const modals = all.flatMap(([name, sample]): [string, ModalView][] =>
  'type' in sample && sample.type === 'modal' ? [[name, sample]] : [],
);

test.each(modals)('the modal %s keeps its content when an error is added', (_, sample) => {
  const {
    submit = null,
    close = null,
    ...rest
  } = escapePlainText({ ...sample, blocks: normalizeBlocks(sample.blocks as object[] as Json[]) });
  const view = unescaped({ ...rest, submit, close, state: { values: {} } } as unknown as ViewOutput);
  const { blocks, ...again } = formWithError(view, 'Try again.');
  const before = (sample.blocks as KnownBlock[]).filter(({ block_id }) => block_id !== 'problem');
  expect({ ...again, blocks: blocks.slice(1) }).toEqual({ ...sample, blocks: before.slice(0, 99) });
});
