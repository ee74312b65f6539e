import { expect, test } from 'vitest';
import type { ActionResult } from './action-context.ts';
import { type ChecklistFacts, checkTicks } from './check-ticks.ts';
import type { Request } from './plan.ts';

const action: Request = {
  kind: 'request',
  id: 'a1',
  pauseMs: 0,
  to: [],
  message: 'Please',
  points: ['Passport', 'Contract'],
  expiresAfter: 3,
  isClickedTwice: false,
};
const result: ActionResult = {
  workspace: 'Acme',
  person: 'Bo',
  action,
  progress: 'accepted',
  ticks: [{ point: 'Passport', isConfirmed: true }],
  formText: '',
  error: '',
};
const points = [
  { text: 'Passport', isTicked: true },
  { text: 'Contract', isTicked: false },
];
const first: ChecklistFacts = { workspace: 'Acme', isRepeat: false, points, audited: ['Passport'] };
const again: ChecklistFacts = { ...first, isRepeat: true, points: points.slice(1) };

test('the check of a fault run accepts ticks that were clicked and audited once', () => {
  expect(checkTicks([first, again], [result])).toEqual([]);
});

test('the check of a fault run accepts both outcomes of a click without an answer', () => {
  const unanswered = { ...result, ticks: [{ point: 'Passport', isConfirmed: false }] };
  const unticked = { ...first, points: points.map((point) => ({ ...point, isTicked: false })), audited: [] };
  expect([...checkTicks([first], [unanswered]), ...checkTicks([unticked], [unanswered])]).toEqual([]);
});

test.each<[string, Partial<ChecklistFacts>, string]>([
  ['a lost tick', { points: [{ text: 'Passport', isTicked: false }], audited: [] }, 'ticked off, but is missing'],
  ['a tick without a click', { points: [{ text: 'Contract', isTicked: true }] }, 'ticked off without a click'],
  ['a click that counted twice', { audited: ['Passport', 'Passport'] }, 'has 2 audit entries'],
  ['a tick without an audit entry', { audited: [] }, 'has 0 audit entries'],
  ['a ticked point that is asked for again', { isRepeat: true }, 'asked for again although it was ticked off'],
])('the check of a fault run reports %s', (_, changes, violation) => {
  expect(checkTicks([{ ...first, ...changes }], [result]).join()).toContain(violation);
});
