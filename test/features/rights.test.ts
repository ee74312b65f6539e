import { expect, test } from 'vitest';
import { type Action, type Facts, may, reasonFor } from '../../src/features/settings/permission.ts';
import { defaultSettings, type Settings } from '../../src/features/settings/repository.ts';

const me = 'U-me';
const own = { person: me };
const others = { person: 'U-other' };
const channel = 'C-room';

const lists = (listed: string[]): Partial<Settings> => ({
  senders: listed,
  requesters: listed,
  downloaders: listed,
  contactEditors: listed,
  approvers: listed,
  approvalSenders: listed,
});
const strict = { ...defaultSettings, ...lists([]) };
const member: Facts = { settings: strict, person: me, role: 'member', channels: new Set(), unknown: new Set() };
const inChannel = { ...member, channels: new Set([channel]) };
const everything = { ...strict, ...lists([me]), admins: [me] };

/** What people can be here. */
const holders: Record<string, Facts> = {
  'admin in Slack': { ...member, role: 'admin' },
  'additional admin': { ...member, settings: { ...strict, admins: [me] } },
  'named person': { ...member, settings: { ...strict, ...lists([me]) } },
  'member of a named channel': { ...inChannel, settings: { ...strict, ...lists([channel]) } },
  'member of a channel of admins': { ...inChannel, settings: { ...strict, admins: [channel] } },
  'member of a channel that Slack did not list': {
    ...member,
    settings: { ...everything, ...lists([channel]), admins: [channel] },
    unknown: new Set([channel]),
  },
  auditor: { ...member, settings: { ...strict, auditors: [me] } },
  'any member': member,
  'any member, by default': { ...member, settings: defaultSettings },
  'guest or person who left': { ...member, settings: everything, role: 'none', channels: new Set([channel]) },
};

const actions: Record<string, [Action, { person: string }?]> = {
  view: ['view'],
  send: ['send'],
  request: ['request'],
  download: ['download'],
  'change contacts': ['contacts'],
  'look at the history': ['history'],
  "look at another person's transfer": ['history', others],
  'cancel their own transfer': ['change', own],
  "cancel another person's transfer": ['change', others],
  'undo or repeat their own transfer': ['own', own],
  "undo or repeat another person's transfer": ['own', others],
  approve: ['approve'],
  'approve their own transfer': ['approve', own],
  'skip the approval of senders': ['trusted'],
  'read the audit log': ['audit'],
  administer: ['admin'],
  disconnect: ['disconnect'],
};

const whatMembersCan = ['view', 'cancel their own transfer', 'undo or repeat their own transfer'];
const permitted = ['send', 'request', 'download', 'change contacts', 'look at the history'];
const asAuditor = ['look at the history', "look at another person's transfer", 'read the audit log'];
const asAdmin = [...permitted, ...asAuditor, "cancel another person's transfer", 'administer'];
const expected: Record<string, string[]> = {
  'admin in Slack': [...whatMembersCan, ...asAdmin, 'disconnect'],
  'additional admin': [...whatMembersCan, ...asAdmin],
  'named person': [...whatMembersCan, ...permitted, 'approve', 'skip the approval of senders'],
  'member of a named channel': [...whatMembersCan, ...permitted, 'approve', 'skip the approval of senders'],
  'member of a channel of admins': [...whatMembersCan, ...asAdmin],
  'member of a channel that Slack did not list': whatMembersCan,
  auditor: [...whatMembersCan, ...asAuditor],
  'any member': whatMembersCan,
  'any member, by default': [...whatMembersCan, ...permitted],
  'guest or person who left': [],
};

const cells = Object.keys(holders).flatMap((holder) =>
  Object.keys(actions).map((action) => ({ holder, action, can: expected[holder]?.includes(action) ? 'can' : "can't" })),
);

test.each(cells)('$holder: $can $action', ({ holder, action, can }) => {
  const [name, target] = actions[action] ?? ['view'];
  const facts = holders[holder] ?? member;
  expect(may(facts, name, target)).toBe(can === 'can');
  if (target === undefined) expect(reasonFor(facts, name) !== undefined).toBe(can === 'can');
});

test('the reason for a right is the first of everyone, role, name and channel', () => {
  const named = lists([me]);
  const room = { ...inChannel, settings: { ...strict, ...lists([channel]), admins: ['U-other'] } };
  expect([
    reasonFor({ ...member, settings: defaultSettings }, 'send'),
    reasonFor({ ...member, role: 'admin' }, 'send'),
    reasonFor({ ...member, settings: { ...strict, ...named, admins: [me] } }, 'approve'),
    reasonFor({ ...member, settings: { ...strict, ...named, admins: [me] } }, 'send'),
    reasonFor(room, 'download'),
    reasonFor({ ...inChannel, settings: { ...strict, admins: [channel] } }, 'download'),
    reasonFor({ ...inChannel, settings: { ...strict, admins: [channel] } }, 'approve'),
  ]).toEqual([
    { by: 'everyone', isAdmin: false },
    { by: 'role', isAdmin: true },
    { by: 'name', isAdmin: false },
    { by: 'name', isAdmin: true },
    { by: 'channel', channel, isAdmin: false },
    { by: 'channel', channel, isAdmin: true },
    undefined,
  ]);
});
