import { makeContact } from '../../src/exchange/index.ts';

/** Data as in everyday use, to see how a view looks and reads. */
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
