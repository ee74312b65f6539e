import { connectView } from '../../../src/features/account/connect/views.ts';
import type { DeskHealth } from '../../../src/features/account/desks/operations.ts';
import { desksView, renameView } from '../../../src/features/account/desks/views.ts';
import { missingBlocks } from '../../../src/features/settings/desks/fields.ts';
import type { DeskOfPerson } from '../../../src/features/settings/membership.ts';
import { requestView } from '../../../src/features/transfers/request/views.ts';
import { sendView } from '../../../src/features/transfers/send/views.ts';
import { modal } from '../../../src/slack/views.ts';
import { hostileTexts, type Samples } from '../hostile-texts.ts';

const desk = (name: string, number: number): DeskOfPerson => ({
  ...{ account: name, key: String(number).padStart(43, 'k'), name },
  ...{ channel: 'C0123456789', channels: [], isUnknown: false, isClosed: false },
});
const desks = ['Legal', 'Human Resources'].map(desk);
const choice = { desks, key: desks[0]?.key ?? '' };
const missing = "carl@example.org isn't in your contacts. Choose again.";
const expiry = { expiryUnit: 'days' as const, expiryDefault: 7 };

const polls = { lastAt: undefined, pausedAt: undefined, nextAt: new Date(0), leftOut: 0 };
const healths: DeskHealth[] = [
  { ...desks[0], username: 'legal@example.com', isLeaving: false, poll: undefined, hold: undefined },
  {
    ...{ ...desks[1], username: 'hr@example.com', isLeaving: false },
    poll: { ...polls, lastSuccessAt: new Date(0), lastFailure: undefined },
    hold: { transfer: '', reason: 'unknown' as const, since: new Date(0) },
  },
  {
    ...{
      key: 'k',
      name: hostileTexts.huge ?? '',
      username: hostileTexts.huge ?? '',
      isLeaving: false,
      hold: undefined,
    },
    poll: { ...polls, lastSuccessAt: undefined, lastFailure: 'credentials-refused' },
  },
  { key: 'l', name: 'Sales', username: 'sales@example.com', isLeaving: true, poll: undefined, hold: undefined },
].map((health) => ({ key: '', name: '', ...health }));

export const samples: Samples = {
  'one account': desksView({ desks: healths.slice(0, 1), canDisconnect: true, canAdd: true }),
  'several desks': desksView({ desks: healths, canDisconnect: true, canAdd: true }),
  '20 desks': desksView({
    desks: Array.from({ length: 20 }, (_, number) => ({ ...(healths[2] as DeskHealth), key: `${number}` })),
    ...{ canDisconnect: true, canAdd: false },
  }),
  'rename a desk': renameView(desks[0]?.key ?? '', 'Legal'),
  'connect another account': connectView({ hasPage: false, isAnother: true }),
  'the form to send from a desk': sendView({
    ...{ recipients: [], offered: [], ticked: [], message: '', extra: [], problems: [] },
    ...{ expiresAfter: 7, expiry, from: choice, missing },
  }),
  'the form to request from a desk': requestView(expiry, { recipients: [], from: choice, missing }),
  'many recipients who are no contacts': modal('Desks', missingBlocks(hostileTexts.huge)),
};
