import type { Status } from '../../../src/features/status/operations.ts';
import { statusView } from '../../../src/features/status/views.ts';
import { transferKinds } from '../../../src/features/transfer-kinds.ts';
import type { Send } from '../../../src/features/transfers/transfer.ts';
import { missingScopeBlocks, missingScopes } from '../../../src/slack/scopes.ts';
import { everydayDate, everydayFiles, everydayRecipients, everydaySend } from '../everyday.ts';
import { hostileEmails, hostileList, hostileTexts, type Samples } from '../hostile-texts.ts';

const at = new Date(1_700_000_000_000);
const healthyStatus: Status = {
  isAdmin: false,
  baseUrl: 'https://files.example.com',
  username: 'api@example.com',
  connectedBy: 'U0123456789',
  connectedAt: at,
  health: { ok: true, activeDownloads: 2 },
  poll: { lastAt: at, lastSuccessAt: at, lastFailure: undefined, pausedAt: undefined, nextAt: at, leftOut: 0 },
  hold: undefined,
  transfers: [],
  uploads: undefined,
  scanner: undefined,
  abandoned: [],
  approvals: [],
  pauses: {},
};
const transfers: Status['transfers'] = Array.from({ length: 50 }, (_, number) => ({
  id: `d${number}`,
  person: 'U0123456789',
  kind: number % 2 === 0 ? 'send' : 'request',
  state: number < 40 ? 'running' : 'waiting',
  createdAt: at,
}));
const errorMessage = hostileTexts.huge ?? '';
const held: Send = {
  ...everydaySend,
  person: 'U1',
  createdAt: at,
  recipients: hostileEmails.map((email) => ({ email, json: '{}' })),
  files: hostileList.map((name) => ({ id: 'F1', name, size: 1, stamp: '' })),
  progress: { difference: { code: 'difference', message: errorMessage, names: hostileList } },
};

const everydayHold = {
  transfer: 'd1',
  reason: 'unknown' as const,
  since: everydayDate,
  heldTransfer: { ...everydaySend, recipients: everydayRecipients, files: everydayFiles },
};

export const samples: Samples = {
  'everyday, an unconfirmed transfer': statusView(transferKinds, {
    ...healthyStatus,
    isAdmin: true,
    hold: everydayHold,
    transfers: transfers.slice(38, 42),
    uploads: { listed: ['a.txt', 'old.zip'], unexpected: ['old.zip'] },
  }),
  'everyday, wrong credentials': statusView(transferKinds, {
    ...healthyStatus,
    isAdmin: true,
    health: { ok: false, code: 'credentials-refused', message: 'Wrong account or API key.' },
    poll: {
      lastAt: at,
      lastSuccessAt: at,
      lastFailure: 'credentials-refused',
      pausedAt: at,
      nextAt: at,
      leftOut: 0,
    },
  }),
  healthy: statusView(transferKinds, healthyStatus, 'Sending resumed.'),
  'without all permissions': statusView(
    transferKinds,
    { ...healthyStatus, isAdmin: true },
    undefined,
    missingScopeBlocks(missingScopes(['commands']), { text: 'Install again', url: 'https://drop.example.com' }),
  ),
  'for an admin': statusView(transferKinds, {
    ...healthyStatus,
    isAdmin: true,
    scanner: { version: 'ClamAV 1.4.3/27800/Mon Nov 16 09:00:00 2026' },
    uploads: { listed: ['a.txt'], unexpected: [] },
  }),
  'everything failing': statusView(transferKinds, {
    ...healthyStatus,
    isAdmin: true,
    baseUrl: `https://files.example.com/${'p'.repeat(400)}`,
    username: hostileEmails[0] ?? '',
    health: { ok: false, code: 'refused', message: errorMessage },
    scanner: { problem: errorMessage },
    poll: {
      lastAt: at,
      lastSuccessAt: undefined,
      lastFailure: 'credentials-refused',
      pausedAt: at,
      nextAt: at,
      leftOut: 0,
    },
    hold: { transfer: 'd1', reason: 'difference', since: at, heldTransfer: held },
    transfers,
    abandoned: Array.from({ length: 10 }, (_, number) => ({ ...held, id: `d${number}` })),
    uploads: { listed: [...hostileList, ...hostileList], unexpected: [...hostileList, ...hostileList] },
  }),
  'for a member, on hold and failing': statusView(transferKinds, {
    ...healthyStatus,
    poll: { lastAt: at, lastSuccessAt: at, lastFailure: 'odd', pausedAt: undefined, nextAt: at, leftOut: 0 },
    hold: { transfer: 'd1', reason: 'unknown', since: at, heldTransfer: undefined },
  }),
  'while an outcome is being checked': statusView(transferKinds, {
    ...healthyStatus,
    isAdmin: true,
    poll: undefined,
    hold: { transfer: 'd1', reason: 'committing', since: at, heldTransfer: undefined },
    uploads: { listed: undefined, unexpected: [] },
  }),
  'another workspace’s hold': statusView(transferKinds, {
    ...healthyStatus,
    isAdmin: true,
    hold: { transfer: 'd1', reason: 'unknown', since: at, heldTransfer: undefined },
  }),
};
