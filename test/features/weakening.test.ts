import { expect, test } from 'vitest';
import { defaultSettings, type Settings } from '../../src/features/settings/repository.ts';
import { weakenings } from '../../src/features/settings/weakening.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';
import { approvalSettings, type Policy, policyWith } from './approval.ts';

type Draft = Partial<Settings>;

const approval = (rules: Policy): Draft => approvalSettings(policyWith(rules));

const textOf = (before: Draft, after: Draft) =>
  weakenings({ ...defaultSettings, ...before }, { ...defaultSettings, ...after }).map((phrase) =>
    phrase
      .map((piece) => (typeof piece === 'string' ? piece : 'user' in piece ? `@${piece.user}` : `#${piece.channel}`))
      .join(''),
  );

const every = approval({ every: true });

test.each<[before: Draft, after: Draft, weaker: string, stronger?: string]>([
  [every, {}, 'turned off approval for all transfers'],
  [approval({ newRecipients: true }), {}, 'turned off approval for new recipients'],
  [approval({ domains: ['a.com'] }), {}, 'turned off approval for recipients outside trusted domains'],
  [
    approval({ domains: ['a.com'] }),
    approval({ domains: ['a.com', 'b.com'] }),
    'turned off approval for recipients in b.com',
  ],
  [approval({ recipients: 5 }), {}, 'turned off approval for transfers to many recipients'],
  [approval({ recipients: 5 }), approval({ recipients: 9 }), 'turned off approval for transfers to up to 9 recipients'],
  [approval({ bytes: 1e6 }), {}, 'turned off approval for large transfers'],
  [approval({ bytes: 1e6 }), approval({ bytes: 2e6 }), 'turned off approval for transfers of up to 2 MB'],
  [
    approval({ fileTypes: ['zip', 'exe'] }),
    approval({ fileTypes: ['exe'] }),
    'turned off approval for files of type zip',
  ],
  [approval({ senders: ['U1'] }), {}, 'turned off approval for senders who are not trusted'],
  [approval({ senders: ['U1'] }), approval({ senders: ['U1', 'U2'] }), 'turned off approval for transfers by @U2'],
  [approval({ every: true, requests: true }), every, 'turned off approval for file requests'],
  [
    approval({ every: true, waitDays: 3 }),
    approval({ every: true, waitDays: 30 }),
    'made an approval valid for 30 days',
  ],
  [
    approval({ every: true, approvers: ['U1'] }),
    approval({ every: true, approvers: ['U1', 'U2'] }),
    'let @U2 approve transfers',
  ],
  [
    approval({ every: true, approvers: ['C1'] }),
    approval({ every: true, approvers: ['C2'] }),
    'let members of #C2 approve transfers',
    'let members of #C1 approve transfers',
  ],
  [
    { admins: [] },
    { admins: ['U1', 'U2'] },
    'made @U1, @U2 additional admins',
    'removed @U1, @U2 as additional admins',
  ],
  [{ auditDays: 400 }, { auditDays: 90 }, 'shortened how long the audit log is kept to 90 days'],
  [{ senders: 'admins' }, {}, 'allowed everyone to send files'],
  [{ requesters: ['U1'] }, {}, 'allowed everyone to request files'],
  [{ downloaders: 'admins' }, { downloaders: ['U1'] }, 'allowed @U1 to download files'],
  [{ contactEditors: ['U1'] }, { contactEditors: ['U1', 'U2'] }, 'allowed @U2 to change contacts'],
  [{ recipientDomains: ['a.com'] }, {}, 'allowed recipients in any domain'],
  [{ recipientDomains: ['a.com'] }, { recipientDomains: ['a.com', 'b.com'] }, 'allowed recipients in b.com'],
  [{ fileTypes: 'allow', extensions: ['pdf'] }, {}, 'allowed all file types'],
  [
    { fileTypes: 'allow', extensions: ['pdf'] },
    { fileTypes: 'allow', extensions: ['pdf', 'zip'] },
    'allowed files of type zip',
  ],
  [
    { fileTypes: 'allow', extensions: ['pdf'] },
    { fileTypes: 'block', extensions: ['exe'] },
    'allowed all file types except exe',
  ],
  [
    { fileTypes: 'block', extensions: ['exe', 'zip'] },
    { fileTypes: 'block', extensions: ['exe'] },
    'allowed files of type zip',
  ],
  [
    { fileTypes: 'block', extensions: ['zip'] },
    { fileTypes: 'allow', extensions: ['pdf', 'zip'] },
    'allowed files of type zip',
    'allowed all file types except zip',
  ],
  [{ maxFileMb: 5 }, {}, 'removed the maximum size of a file'],
  [{ maxFileMb: 5 }, { maxFileMb: 6 }, 'raised the maximum size of a file to 6 MB'],
  [{ maxTotalMb: 5 }, {}, 'removed the maximum size of a transfer'],
  [{}, { unscanned: 'note' }, "allowed files that can't be scanned"],
  [{ expiryLongest: 7 }, {}, 'removed the maximum expiry'],
  [
    { expiryUnit: 'days', expiryLongest: 7 },
    { expiryUnit: 'days', expiryLongest: 30 },
    'raised the maximum expiry to 30 days',
  ],
  [{}, { delivery: 'link' }, 'changed the delivery of downloads to links'],
  [{ delivery: 'link' }, { delivery: 'thread' }, 'changed the delivery of downloads to threads in channels'],
  [{}, { requests: true }, 'turned on file requests'],
  [{}, { inboxChannels: [inboxChannel('C1')] }, 'chose #C1 for new files'],
  [
    { inboxChannels: [inboxChannel('C1')] },
    { inboxChannels: [inboxChannel('C2')] },
    'chose #C2 for new files',
    'chose #C1 for new files',
  ],
  [
    { inboxChannels: [inboxChannel('C1')] },
    { inboxChannels: [inboxChannel('C1'), inboxChannel('C2', { senders: ['a.com'] })] },
    'chose #C2 for new files from a.com',
    'chose #C1 for new files from a.com',
  ],
  [
    { inboxChannels: [inboxChannel('C1')] },
    { inboxChannels: [inboxChannel('C1', { delivery: 'thread' })] },
    'changed the delivery of downloads in #C1 to threads in channels',
  ],
])('%j to %j is weaker', (before, after, weaker, stronger) => {
  expect(textOf(before, after)).toEqual([weaker]);
  expect(textOf(after, before)).toEqual(stronger === undefined ? [] : [stronger]);
});

test.each<[before: Draft, after: Draft]>([
  [approval({ newRecipients: true, senders: ['U1'] }), every],
  [approval({ approvers: ['U1'], requests: true }), approval({ approvers: ['U2', 'C1'] })],
  [approval({ waitDays: 3 }), approval({ waitDays: 30 })],
  [
    { expiryUnit: 'hours', expiryDefault: 7 },
    { expiryUnit: 'days', expiryDefault: 30 },
  ],
  [{ message: '' }, { message: 'Hello', watchedChannels: ['C1'] }],
  [{}, { contactsOnlyAdd: true }],
  [
    { inboxChannels: [inboxChannel('C1', { delivery: 'thread' })] },
    { inboxChannels: [inboxChannel('C1', { posts: 'day', takeAndDone: true, reminderDays: 0, delivery: 'link' })] },
  ],
  [
    { fileTypes: 'any', extensions: [] },
    { fileTypes: 'any', extensions: ['zip'] },
  ],
])('%j to %j is not weaker', (before, after) => {
  expect(textOf(before, after)).toEqual([]);
});

test('a long list of people is shortened', () => {
  const admins = Array.from({ length: 12 }, (_, index) => `U${index}`);
  expect(textOf({}, { admins })).toEqual([
    'made @U0, @U1, @U2, @U3, @U4, @U5, @U6, @U7, @U8, @U9 and 2 more additional admins',
  ]);
});
