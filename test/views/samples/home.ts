import type { InboxItem } from '../../../src/features/common/services.ts';
import type { ConnectedHome } from '../../../src/features/home/operations.ts';
import { homeView, welcomeText } from '../../../src/features/home/views.ts';
import { transferKinds } from '../../../src/features/transfer-kinds.ts';
import type { FileRequest, Send } from '../../../src/features/transfers/transfer.ts';
import { bounds } from '../../../src/lib/bounds.ts';
import { line } from '../../../src/slack/blocks.ts';
import { everydayDate, everydayFiles, everydayRecipients, waitingRequest, waitingSend } from '../everyday.ts';
import { hostileEmails, hostileList, hostileTexts, type Samples } from '../hostile-texts.ts';

const at = new Date(1_700_000_000_000);
const hostileContent = {
  createdAt: at,
  recipients: hostileEmails.map((email) => ({ email, json: '{}' })),
  message: hostileTexts.huge ?? '',
};
const transfer: Send = {
  ...waitingSend,
  ...hostileContent,
  state: 'running',
  files: hostileList.map((name) => ({ id: 'F1', name, size: 1, stamp: '' })),
};
const endedRequest: FileRequest = { ...waitingRequest, ...hostileContent, state: 'sent', endedAt: at };
const states = ['waiting', 'committing', 'sent', 'failed', 'cancelled', 'unknown'] as const;
const connectedHome: ConnectedHome = {
  kind: 'connected',
  person: transfer.person,
  isAdmin: false,
  isOwn: ({ person }) => person === transfer.person,
  username: 'api@example.com',
  connectedBy: 'U0ADMIN',
  may: { send: false, request: false, download: false, contacts: false, audit: false },
  hasRequests: true,
  isHeld: false,
  active: [],
  sent: [],
  requests: [],
  inbox: undefined,
  readAt: new Date(1_700_000_000_000),
};

const everydayActive: Send = {
  ...transfer,
  createdAt: everydayDate,
  recipients: everydayRecipients,
  files: everydayFiles,
  message: '',
};
const everydayEnded: FileRequest = {
  ...endedRequest,
  createdAt: everydayDate,
  endedAt: everydayDate,
  recipients: everydayRecipients,
  message: '',
};

const taken = { person: 'U0123456789', at: everydayDate };
const takenItem: InboxItem = {
  url: 'u',
  sender: 'ada@partner.example',
  createdAt: everydayDate.getTime() / 1000,
  expiresAfter: '7',
  files: ['plan.pdf', 'map.png'],
  downloads: [],
  isGone: false,
  belongsTo: ['C0123456789'],
  work: { taken },
};

export const samples: Samples = {
  everyday: homeView(transferKinds, {
    ...connectedHome,
    may: { send: true, request: true, download: true, contacts: true, audit: true },
    active: [everydayActive],
    sent: [{ ...everydayActive, state: 'sent', endedAt: everydayDate }],
    requests: [
      everydayEnded,
      {
        ...everydayEnded,
        answers: [{ item: 'x', from: 'ada@partner.example', files: 2, at: everydayDate.getTime() / 1000 }],
        checklist: { message: '', points: ['Passport', 'Contract, signed'] },
        ticks: [{ point: 'Passport', by: 'U1', at: 0 }],
      },
    ],
    inbox: [
      {
        url: 'u',
        sender: 'ada@partner.example',
        createdAt: everydayDate.getTime() / 1000,
        expiresAfter: '7',
        files: ['plan.pdf'],
        downloads: [],
        isGone: false,
        belongsTo: ['C0123456789'],
      },
    ],
    readAt: everydayDate,
  }),
  'with taken items': homeView(transferKinds, {
    ...connectedHome,
    may: { send: true, request: true, download: true, contacts: true, audit: true },
    inbox: [takenItem],
    areUnknown: true,
    taken: { items: [takenItem, { ...takenItem, isGone: true }], more: 980 },
    readAt: everydayDate,
  }),
  'for a guest': homeView(transferKinds, { kind: 'outsider' }),
  'for an admin before connecting': homeView(transferKinds, { kind: 'unconnected', isAdmin: true, isLeaving: false }),
  'for a member before connecting': homeView(transferKinds, { kind: 'unconnected', isAdmin: false, isLeaving: false }),
  'while disconnecting': homeView(transferKinds, { kind: 'unconnected', isAdmin: true, isLeaving: true }),
  'for a person without permissions': homeView(transferKinds, connectedHome, 'help@example.com'),
  'for the person who set it up, with a support address': homeView(
    transferKinds,
    { ...connectedHome, person: connectedHome.connectedBy },
    'help@example.com',
  ),
  'for a guest, with a support page and a public address': homeView(
    transferKinds,
    { kind: 'outsider' },
    'https://example.com/help',
    'https://drop.example.com',
  ),
  'with everything': homeView(transferKinds, {
    ...connectedHome,
    isAdmin: true,
    hasRequests: false,
    username: hostileEmails[0] ?? '',
    may: { send: true, request: true, download: true, contacts: true, audit: true },
    isHeld: true,
    taken: {
      items: Array.from({ length: bounds.takenOnHome }, () => ({
        ...takenItem,
        sender: hostileTexts.huge,
        files: hostileList,
      })),
      more: 1_980,
    },
    active: states.map((state) => ({ ...transfer, state })),
    sent: [{ ...transfer, state: 'unknown', endedAt: at }],
    requests: states.map((state) => ({ ...endedRequest, state })),
    inbox: hostileList.map((text, number) => ({
      url: 'u',
      sender: number % 2 === 0 ? text : undefined,
      createdAt: number % 3 === 0 ? undefined : 1_700_000_000,
      expiresAfter: text,
      files: number % 4 === 0 ? [] : hostileList,
      downloads: [],
      isGone: false,
      belongsTo: ['C0123456789'],
    })),
  }),
  'the welcome': { text: welcomeText, blocks: [line(welcomeText)] },
};
