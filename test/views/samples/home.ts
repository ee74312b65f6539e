import { bounds } from '../../../src/bounds.ts';
import type { InboxItem } from '../../../src/features/common/services.ts';
import type { ConnectedHome } from '../../../src/features/home/operations.ts';
import { homeView, welcomeText } from '../../../src/features/home/views.ts';
import type { Transfer } from '../../../src/features/transfers/repository.ts';
import { line } from '../../../src/slack/blocks.ts';
import { everydayDate, everydayFiles, everydayRecipients, everydayWaiting } from '../everyday.ts';
import { hostileEmails, hostileList, hostileTexts, type Samples } from '../hostile-texts.ts';

const at = new Date(1_700_000_000_000);
const transfer: Transfer = {
  ...everydayWaiting,
  state: 'running',
  createdAt: at,
  details: {
    ...everydayWaiting.details,
    recipients: hostileEmails.map((email) => ({ email, json: '{}' })),
    files: hostileList.map((name) => ({ id: 'F1', name, size: 1, stamp: '' })),
    message: hostileTexts.huge ?? '',
  },
};
const states = ['waiting', 'committing', 'sent', 'failed', 'cancelled', 'unknown'] as const;
const connectedHome: ConnectedHome = {
  kind: 'connected',
  person: transfer.person,
  isAdmin: false,
  username: 'api@example.com',
  connectedBy: 'U0ADMIN',
  may: { send: false, request: false, download: false, contacts: false },
  hasRequests: true,
  isHeld: false,
  active: [],
  sent: [],
  requests: [],
  inbox: undefined,
  readAt: new Date(1_700_000_000_000),
};

const everydayTransfer = {
  ...transfer,
  createdAt: everydayDate,
  details: { recipients: everydayRecipients, files: everydayFiles, message: '', expiresAfter: 7, removeUnexpected: [] },
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
  work: { taken },
};

export const samples: Samples = {
  everyday: homeView({
    ...connectedHome,
    may: { send: true, request: true, download: true, contacts: true },
    active: [everydayTransfer],
    sent: [{ ...everydayTransfer, state: 'sent', endedAt: everydayDate }],
    requests: [
      { ...everydayTransfer, state: 'sent', kind: 'request', endedAt: everydayDate },
      {
        ...everydayTransfer,
        state: 'sent',
        kind: 'request',
        endedAt: everydayDate,
        details: {
          ...everydayTransfer.details,
          answers: [{ item: 'x', from: 'ada@partner.example', files: 2, at: everydayDate.getTime() / 1000 }],
          checklist: {
            message: '',
            points: [{ text: 'Passport', ticked: { by: 'U1', at: 0 } }, { text: 'Contract, signed' }],
          },
        },
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
      },
    ],
    readAt: everydayDate,
  }),
  'with taken items': homeView({
    ...connectedHome,
    may: { send: true, request: true, download: true, contacts: true },
    inbox: [takenItem],
    taken: { items: [takenItem, { ...takenItem, isGone: true }], more: 980 },
    readAt: everydayDate,
  }),
  'for a guest': homeView({ kind: 'outsider' }),
  'for an admin before connecting': homeView({ kind: 'unconnected', isAdmin: true, isLeaving: false }),
  'for a member before connecting': homeView({ kind: 'unconnected', isAdmin: false, isLeaving: false }),
  'while disconnecting': homeView({ kind: 'unconnected', isAdmin: true, isLeaving: true }),
  'for a person without permissions': homeView(connectedHome, 'help@example.com'),
  'for the person who set it up, with a support address': homeView(
    { ...connectedHome, person: connectedHome.connectedBy },
    'help@example.com',
  ),
  'for a guest, with a support page': homeView({ kind: 'outsider' }, 'https://example.com/help'),
  'with everything': homeView({
    ...connectedHome,
    isAdmin: true,
    hasRequests: false,
    username: hostileEmails[0] ?? '',
    may: { send: true, request: true, download: true, contacts: true },
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
    requests: [
      ...states.map((state) => ({ ...transfer, state, kind: 'request' as const, endedAt: at, details: undefined })),
      { ...transfer, state: 'sent', kind: 'request', endedAt: at },
    ],
    inbox: hostileList.map((text, number) => ({
      url: 'u',
      sender: number % 2 === 0 ? text : undefined,
      createdAt: number % 3 === 0 ? undefined : 1_700_000_000,
      expiresAfter: text,
      files: number % 4 === 0 ? [] : hostileList,
      downloads: [],
      isGone: false,
    })),
  }),
  'the welcome': { text: welcomeText, blocks: [line(welcomeText)] },
};
