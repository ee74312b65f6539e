import type { AuditAction, AuditDetails } from '../../src/store/index.ts';
import { everydayContacts, everydayFiles } from './everyday.ts';

const files = everydayFiles.map(({ name, size }) => ({ name, size }));
const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const received = { files: [{ name: 'plan.pdf' }], sender: 'ada@partner.example' };
const recipients = everydayContacts.map(({ email = '' }) => email);
const transfer = '7d1c6a86-53b5-4b4e-9a35-0f9c6d1e1c11';
const user = { user: 'U0123456789' };
const channel = { channel: 'C0123456789' };
const scan = { clean: 3, unscanned: [{ name: 'video.mp4', reason: 'too large' }] };
const infected = { clean: 0, unscanned: [], infected: 'Eicar-Test' };
const sent = {
  files,
  recipients,
  confirmed: '2026-11-16T09:30:00.000Z',
  approver: user,
  approvedAt: '2026-11-16T09:20:00.000Z',
  scan,
  result: { code: 'refused', message: 'The service rejected the request.', names: [] },
  difference: { code: 'difference', message: 'Files are missing.', names: [] },
  transfer: '0b8f2a44-53b5-4b4e-9a35-0f9c6d1e1c11',
};
const taken = { ...received, holder: user };
const point = { point: 'Passport', recipients: ['grace@lab.example'], transfer, requester: user };
const edited = {
  edit: '2c4e6a86-53b5-4b4e-9a35-0f9c6d1e1c11',
  contacts: recipients,
  changes: ['grace@lab.example: mobile number “46701234567” → “46709876543”'],
  added: 1,
  updated: 2,
  removed: 3,
  restored: ['lost@lab.example'],
  altered: ['other@lab.example'],
};
const changed = [
  { setting: 'The default message', from: [], to: ['CONFIDENTIAL'] },
  { setting: 'Approvers', from: [user], to: [user, { user: 'U0000000009' }] },
  { setting: 'Total size without approval', from: [{ bytes: 1_000_000 }], to: [] },
  { setting: 'Posts', in: channel, from: ['a post for each item'], to: ['a digest every hour'] },
];

/** Every detail of every action, except the name of a desk, which all have. */
export const auditExamples: { [A in AuditAction]: Required<Omit<AuditDetails<A>, 'desk'>> } = {
  connect: { baseUrl: 'https://files.example.com', username: 'acme', changed, channels: [channel] },
  disconnect: {},
  'rename desk': { renamedTo: 'Finance' },
  confirm: { transfer },
  send: sent,
  'ask for files': { transfer },
  request: { ...sent, files: [] },
  cancel: { files, recipients, transfer },
  'ask for approval': { files, recipients, rules: 'new recipient, total size' },
  approve: { files, recipients, transfer },
  decline: { files, recipients, transfer, reason: 'The contract is not final' },
  'ask for a download': { ...received, scan: infected },
  download: {
    ...received,
    files: [{ name: 'plan.pdf', size: 51_200, sha256: hash }],
    earlierSha256: hash.replace('9', 'a'),
    scan: { clean: 1, unscanned: [] },
  },
  'open file': { files, transfer },
  take: taken,
  'take over': taken,
  'mark done': taken,
  reopen: taken,
  'tick off': point,
  untick: point,
  settings: { changed, channels: [channel] },
  'move files': { movedFrom: { channel: 'C0123456789' }, movedTo: { channel: 'C0987654321' }, items: 12 },
  pause: { target: 'sending', reason: 'Maintenance until noon' },
  resume: { target: 'downloads', queued: 2 },
  'release hold': { transfer, hold: 'unknown' },
  'resume polling': {},
  'clear recipients': {},
  'remove uploaded files': { files: [{ name: 'left-over.zip' }] },
  'remove unexpected files': { files: [{ name: 'unknown.zip' }, { name: 'other.zip' }], transfer },
  'remove infected mark': { ...received, scan: infected },
  'contacts add': edited,
  'contacts edit': edited,
  'contacts remove': edited,
  'contacts import': { ...edited, contacts: [...recipients, { omitted: 470 }] },
  'contacts group': edited,
  'contacts export': { rows: 120 },
  'audit export': { rows: 50_000, olderThan: '2026-01-01T00:00:00.000Z' },
  receipt: { transfer, files },
  restore: { unconfirmed: 3 },
};

export const exampledActions = Object.keys(auditExamples) as AuditAction[];
