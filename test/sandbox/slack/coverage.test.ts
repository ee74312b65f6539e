import { expect, test } from 'vitest';
import { methods, notSimulated } from '../../../src/sandbox/slack/api/index.ts';
import { coverage } from '../../../src/sandbox/slack/coverage.ts';
import { callFaults, deliveryFaults, deliveryKinds } from '../../../src/sandbox/slack/state/kinds.ts';
import { scopeOfEvent } from '../../../src/sandbox/slack/state/manifest.ts';
import { statefulElements } from '../../../src/sandbox/slack/state/values.ts';
import { choiceElements, clickableElements, fileInput, textInputs, unusedElements } from './check/examples.ts';

/** The names that one part of the table lists as covered and as missing. */
function namesIn(part: string): { covered: string[]; missing: string[] } {
  const rows = Object.entries(coverage[part] ?? {});
  const named = (covered: boolean) =>
    rows.filter(([, row]) => (row.covered !== 'no') === covered).map(([name]) => name);
  return { covered: named(true).sort(), missing: named(false).sort() };
}

test('the coverage table lists every simulated method and every refused one', () => {
  expect(namesIn('methods')).toEqual({
    covered: Object.keys(methods).sort(),
    missing: Object.keys(notSimulated).sort(),
  });
});

test('the coverage table lists every kind of delivery and every event', () => {
  expect(namesIn('deliveries').covered).toEqual([...deliveryKinds].sort());
  expect(namesIn('events').covered).toEqual(Object.keys(scopeOfEvent).sort());
});

test('the coverage table lists every element that people can use, and every fault', () => {
  expect(namesIn('elements').covered).toEqual([...Object.keys(statefulElements), 'button', 'overflow'].sort());
  const faults = new Set([...Object.keys(callFaults), ...Object.keys(deliveryFaults)]);
  expect(namesIn('faults').covered).toEqual([...faults].sort());
});

test('the coverage table lists every element that the checks accept or refuse', () => {
  const groups = [choiceElements, clickableElements, textInputs, { fileInput }];
  const types = groups.flatMap((group) => Object.values(group)).map((element) => (element as { type: string }).type);
  expect(types.filter((type) => coverage.elements?.[type] === undefined)).toEqual([]);
  expect(types.length).toBeGreaterThan(10);
  expect(namesIn('elements').missing).toEqual(unusedElements.filter((name) => name !== 'image').sort());
});

test('exactly the rows of the coverage table that are not fully covered have a note', () => {
  const rows = Object.values(coverage).flatMap((part) => Object.entries(part));
  expect(rows.filter(([, { covered, note }]) => (covered === 'yes') === (note !== undefined))).toEqual([]);
});
