import { expect, test } from 'vitest';
import { methods, notSimulated } from '../../../src/sandbox/slack/api/index.ts';
import { coverage } from '../../../src/sandbox/slack/coverage.ts';
import { eventScopes } from '../../../src/sandbox/slack/delivery/subscription.ts';
import { buttonTypes } from '../../../src/sandbox/slack/person/screen/elements.ts';
import { callFaults, deliveryFaults, deliveryKinds } from '../../../src/sandbox/slack/state/kinds.ts';
import { statefulElements } from '../../../src/sandbox/slack/state/values.ts';
import { choosers, clickable, datetimepicker, fileInput, richTextInput, typed } from './check/specimens.ts';

/** The names that a part of the table lists as covered and as not covered. */
function namesIn(part: string): { covered: string[]; missing: string[] } {
  const rows = Object.entries(coverage[part] ?? {});
  const named = (covered: boolean) =>
    rows.filter(([, row]) => (row.covered !== 'no') === covered).map(([name]) => name);
  return { covered: named(true).sort(), missing: named(false).sort() };
}

test('the table lists every simulated method and every refused one', () => {
  expect(namesIn('methods')).toEqual({
    covered: Object.keys(methods).sort(),
    missing: Object.keys(notSimulated).sort(),
  });
});

test('the table lists every kind of delivery and every event', () => {
  expect(namesIn('deliveries').covered).toEqual([...deliveryKinds].sort());
  expect(namesIn('events').covered).toEqual(Object.keys(eventScopes).sort());
});

test('the table lists every element that people can use, and every fault', () => {
  expect(namesIn('elements').covered).toEqual([...Object.keys(statefulElements), ...buttonTypes, 'overflow'].sort());
  const faults = new Set([...Object.keys(callFaults), ...Object.keys(deliveryFaults)]);
  expect(namesIn('faults').covered).toEqual([...faults].sort());
});

test('the table lists every element that the checks accept', () => {
  const groups = [choosers, clickable, typed, { datetimepicker, richTextInput, fileInput }];
  const types = groups.flatMap((group) => Object.values(group)).map((element) => (element as { type: string }).type);
  expect(types.filter((type) => coverage.elements?.[type] === undefined)).toEqual([]);
  expect(types.length).toBeGreaterThan(20);
});

test('rows have a note exactly if they are not fully covered', () => {
  const rows = Object.values(coverage).flatMap((part) => Object.entries(part));
  expect(rows.filter(([, { covered, note }]) => (covered === 'yes') === (note !== undefined))).toEqual([]);
});
