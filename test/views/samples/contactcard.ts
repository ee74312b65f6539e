import { makeContact } from '../../../src/exchange/index.ts';
import type { InboxItem } from '../../../src/features/common/services.ts';
import { type ContactCard, cardView } from '../../../src/features/contactcard/views.ts';
import type { FileRequest } from '../../../src/features/transfers/transfer.ts';
import { everydayContacts, everydayDate, everydayRequest } from '../everyday.ts';
import { hostileEmails, hostileList, hostileTexts, type Samples } from '../hostile-texts.ts';

const [ada] = everydayContacts;
const contact = { ...(ada ?? makeContact({ email: 'ada@example.com' })), email: ada?.email ?? 'ada@example.com' };
const sentAt = everydayDate.getTime() / 1000;

const transfer = (name: string, email = contact.email) => ({
  id: 'x'.repeat(22),
  person: 'U0123456789',
  createdAt: sentAt,
  files: { first: [name], total: 1 },
  recipients: { first: [email], total: 3 },
});
const item = (files: string[], more: Partial<InboxItem> = {}): InboxItem => ({
  url: 'u1',
  sender: contact.email,
  createdAt: sentAt,
  expiresAfter: '7',
  files,
  isGone: false,
  belongsTo: ['C0123456789'],
  downloads: [],
  ...more,
});
const request = (message: string, more: Partial<FileRequest> = {}): FileRequest => ({
  ...everydayRequest,
  message,
  ...more,
});

const everyday: ContactCard = {
  contact,
  isGlobal: false,
  rights: { canAdd: true, canEdit: true },
  position: { query: '', page: 0 },
  sent: { transfers: [transfer('contract.pdf'), transfer('figures.csv')], total: 12 },
  received: {
    items: [item(['passport.jpg', 'signed.pdf']), item(['old.zip'], { url: 'u2', isGone: true })],
  },
  requests: [request('Please send me the signed contract.'), request('The photos', { state: 'unknown' })],
  change: {
    person: 'U0123456789',
    at: everydayDate,
    number: { field: 'number', from: '46701234567', to: '46709999999' },
  },
  canSend: true,
  canRequest: true,
  unit: 'days',
};

const worst = {
  ...makeContact({ email: hostileEmails[0] ?? 'a@b.c', groups: hostileList }),
  email: hostileEmails[0] ?? '',
};

export const samples: Samples = {
  'everyday card': cardView(everyday),
  'a card with nothing on it': cardView({
    ...everyday,
    sent: { transfers: [], total: 0 },
    received: { items: [], areUnknown: true },
    requests: [],
    change: undefined,
  }),
  'a card of the service’s own contact, without rights': cardView({
    ...everyday,
    isGlobal: true,
    rights: { canAdd: false, canEdit: false },
    sent: undefined,
    received: undefined,
    requests: [],
    canSend: false,
    canRequest: false,
    change: { person: undefined, at: everydayDate },
  }),
  'a card without the history': cardView({ ...everyday, sent: 'unreadable' }),
  'a card of which only the newest items were searched': cardView({
    ...everyday,
    received: { items: [], searched: 2_000 },
  }),
  'a card with hostile data': cardView({
    ...everyday,
    contact: { ...worst, nick: hostileTexts.huge, number: hostileTexts.huge, language: hostileTexts.mention },
    position: { query: 'q'.repeat(100), page: 999_999 },
    sent: { transfers: hostileList.slice(0, 5).map((text) => transfer(text, text)), total: 1_234_567 },
    received: {
      items: hostileList.slice(0, 5).map((text) => item(hostileList, { sender: text })),
      searched: 1_980,
    },
    requests: hostileList.slice(0, 5).map((text) => request(text, { endedAt: undefined, state: 'approval' })),
  }),
};
