import { expect, test } from 'vitest';
import { checkSeen, type SeenFacts } from './check-seen.ts';
import { planChannels } from './plan-channels.ts';

const [legal, staff] = planChannels({
  below: () => 0,
  pick: (list) => list[0] as never,
  bytes: () => Buffer.alloc(0),
}).inboxes;
const file = 's1-ch0-legal0.txt';
const facts: SeenFacts = {
  workspace: 'Acme',
  channels: {
    inboxes: [legal, staff].flatMap((one) => (one === undefined ? [] : [{ ...one, kind: 'private' as const }])),
    board: [],
    moveAfterMs: undefined,
    isDanLimited: false,
  },
  memberships: [
    { workspace: 'Acme', channel: 'legal', person: 'Bo', from: 0, until: undefined },
    { workspace: 'Acme', channel: 'legal', person: 'Eve', from: 0, until: 1_000 },
  ],
  sightings: [
    { workspace: 'Acme', person: 'Bo', file, at: 50_000 },
    { workspace: 'Acme', person: 'Eve', file, at: 2_000 },
    { workspace: 'Acme', channel: 'legal', file, at: 10 },
    { workspace: 'Acme', person: 'Cleo', file: 's1-a1-answer', at: 10 },
  ],
  movedAt: undefined,
  requesters: new Map([['s1-a1-answer', ['Cleo']]]),
  calmFrom: 40_000,
  lists: [
    { workspace: 'Acme', person: 'Bo', files: [file], total: 1 },
    { workspace: 'Acme', person: 'Eve', files: [], total: 0 },
  ],
  owners: new Map([[file, 'legal']]),
};

test('sightings of members, and of answers by those who asked, pass the check', () => {
  expect(checkSeen(facts)).toEqual([]);
});

const saw = (changes: object) => ({ sightings: [{ workspace: 'Acme', file, at: 50_000, ...changes }] });

test.each<[string, Partial<SeenFacts>, string]>([
  ['a file shown to a stranger', saw({ person: 'Cleo' }), `Cleo saw ${file} of another channel`],
  ['a file shown to a person who left', saw({ person: 'Eve' }), `Eve saw ${file} of another channel`],
  ['a file posted in another channel', saw({ channel: 'inbox' }), `#inbox saw ${file} of another channel`],
  ['a number of files', saw({ person: 'Cleo', file: '2 files from lea@legal.example' }), 'Cleo saw 2 files'],
  ["another person's answer", saw({ person: 'Bo', file: 's1-a1-answer' }), 'Bo saw s1-a1-answer'],
  ['a file of another owner', { owners: new Map([[file, 'staff']]), lists: [] }, `${file} belongs to staff`],
  ['a missing file', { lists: [{ workspace: 'Acme', person: 'Bo', files: [], total: 0 }] }, 'has 0 items () instead'],
  [
    'a wrong number',
    { lists: [{ workspace: 'Acme', person: 'Eve', files: [], total: 1 }] },
    'has 1 items () instead of 0',
  ],
])('the check of a fault run reports %s', (_, changes, violation) => {
  expect(checkSeen({ ...facts, ...changes }).join()).toContain(violation);
});
