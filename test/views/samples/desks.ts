import { missingBlocks } from '../../../src/features/settings/desks/fields.ts';
import type { DeskOfPerson } from '../../../src/features/settings/membership.ts';
import { requestView } from '../../../src/features/transfers/request/views.ts';
import { sendView } from '../../../src/features/transfers/send/views.ts';
import { modal } from '../../../src/slack/views.ts';
import { hostileTexts, type Samples } from '../hostile-texts.ts';

const desk = (name: string, number: number): DeskOfPerson => ({
  ...{ account: name, key: String(number).padStart(43, 'k'), name },
  ...{ channel: 'C0123456789', channels: [], isUnknown: false },
});
const desks = ['Legal', 'Human Resources'].map(desk);
const choice = { desks, key: desks[0]?.key ?? '' };
const missing = "carl@example.org isn't in your contacts. Choose again.";
const expiry = { expiryUnit: 'days' as const, expiryDefault: 7 };

export const samples: Samples = {
  'the form to send from a desk': sendView({
    ...{ recipients: [], offered: [], ticked: [], message: '', extra: [], problems: [] },
    ...{ expiresAfter: 7, expiry, from: choice, missing },
  }),
  'the form to request from a desk': requestView(expiry, { recipients: [], from: choice, missing }),
  'many recipients who are no contacts': modal('Desks', missingBlocks(hostileTexts.huge)),
};
