import { makeContact } from '../../src/exchange/index.ts';
import type { FileRequest, Send } from '../../src/features/transfers/transfer.ts';

/** Realistic data, which shows how a view looks in everyday use. */
export const everydayContacts = [
  makeContact({ email: 'ada@partner.example', number: '46701234567', nick: 'Ada Lovell', groups: ['lawyers'] }),
  makeContact({ email: 'grace@lab.example', nick: 'Grace', language: 'en', groups: ['lawyers', 'board'] }),
  makeContact({ email: 'linus@supplier.example' }),
];

export const everydayRecipients = everydayContacts.map(({ email = '', number = '', nick = '' }) => ({
  email,
  number,
  nick,
  json: '{}',
}));

export const everydayFiles = [
  { id: 'F01', name: 'Annual report 2026.pdf', size: 2_613_000, stamp: '1' },
  { id: 'F02', name: 'budget.xlsx', size: 51_200, stamp: '1' },
];

export const everydayMessage = 'Hi, here is the report as agreed.\nBest regards, Anna';
export const everydayDate = new Date('2026-11-16T09:30:00Z');

const sent = {
  id: '7d1c6a86-53b5-4b4e-9a35-0f9c6d1e1c11',
  workspace: 'T1',
  account: 'a',
  person: 'U0123456789',
  state: 'sent' as const,
  cancelledBy: undefined,
  createdAt: everydayDate,
  startsAt: undefined,
  committedAt: everydayDate,
  endedAt: everydayDate,
  notifiedAt: everydayDate,
  isSeen: true,
  recipients: [],
  message: '',
  expiresAfter: 7,
  progress: {},
  approval: undefined,
  locations: {},
};

/** An empty send and an empty request that were sent, from which other samples are built. */
export const everydaySend: Send = { ...sent, kind: 'send', files: [] };
export const everydayRequest: FileRequest = {
  ...sent,
  kind: 'request',
  answers: [],
  ticks: [],
};

const unsent = {
  state: 'waiting' as const,
  startsAt: undefined,
  committedAt: undefined,
  endedAt: undefined,
  notifiedAt: undefined,
  isSeen: false,
};

/** The same before they are sent. */
export const waitingSend: Send = { ...everydaySend, ...unsent };
export const waitingRequest: FileRequest = { ...everydayRequest, ...unsent };
