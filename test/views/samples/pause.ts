import { pausedReviewBlocks, pauseForm, pauseNotices, pauseView } from '../../../src/features/pause/views.ts';
import { transferKinds } from '../../../src/features/transfer-kinds.ts';
import { cardOf } from '../../../src/features/transfers/cards/card.ts';
import { requestView } from '../../../src/features/transfers/request/views.ts';
import type { FileRequest, Send } from '../../../src/features/transfers/transfer.ts';
import { waitingRequest, waitingSend } from '../everyday.ts';
import { hostileTexts, type Samples } from '../hostile-texts.ts';

const since = new Date(1_700_000_000_000);
const pause = { reason: 'Audit until Friday', person: 'U0123456789', since };
const hostile = { ...pause, reason: (hostileTexts.huge ?? '').slice(0, 300) };
const all = { sending: pause, requests: pause, downloads: pause };
const recipients = [{ email: 'carl@example.org', number: '46700000001', nick: 'Carl', json: '{}' }];
const transfer: Send = {
  ...waitingSend,
  createdAt: since,
  recipients,
  files: [{ id: 'F1', name: 'plan.pdf', size: 2_600_000, stamp: '1' }],
};
const request: FileRequest = { ...waitingRequest, createdAt: since, recipients };

export const samples: Samples = {
  'the page, nothing paused': pauseView({}),
  'the page, sending paused': pauseView({ sending: pause }, 'Sending: paused.'),
  'the page, everything paused': pauseView(all),
  'the page, a hostile reason': pauseView({ sending: hostile, requests: hostile, downloads: hostile }),
  'the form': pauseForm('sending'),
  'the form for requests': pauseForm('requests'),
  'the form for downloads': pauseForm('downloads'),
  'the card of a paused transfer': cardOf(transferKinds, { transfer, pause }),
  'the card of a paused transfer, a hostile reason': cardOf(transferKinds, { transfer, pause: hostile }),
  'the card of a paused request': cardOf(transferKinds, { transfer: request, pause }),
  'the form of a request': requestView({ expiryUnit: 'days', expiryDefault: 7 }, undefined, all),
  'the notice in a review, for a member': {
    ...requestView({ expiryUnit: 'days', expiryDefault: 7 }),
    blocks: pausedReviewBlocks('requests', hostile, { submit: 'Request from 1 person' }),
  },
  'the notice in a review, for an admin': {
    ...requestView({ expiryUnit: 'days', expiryDefault: 7 }),
    blocks: pausedReviewBlocks('sending', hostile, { canResume: true, submit: 'Send 1 file to 1 person' }),
  },
  'the notices on the Home of an admin': {
    type: 'home',
    blocks: pauseNotices(all, undefined, { canResume: true }),
  },
  'the notices on Home': { type: 'home', blocks: pauseNotices({ ...all, sending: hostile }) },
};
