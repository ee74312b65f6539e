import {
  connectedView,
  connectView,
  disconnectView,
  keyPageView,
  maxCommandChars,
} from '../../../src/features/account/connect/views.ts';
import { connectedWelcome } from '../../../src/features/account/install/notify.ts';
import { formWithError } from '../../../src/slack/rebuilt-form.ts';

import { hostileEmails, hostileTexts, type Samples } from '../hostile-texts.ts';

const keyPageUrl = `https://dropline.example.com/connect/T0123.${'k'.repeat(43)}`;
const filled = connectView({
  baseUrl: `https://files.example.com/${'p'.repeat(400)}`,
  username: hostileEmails[0],
  inboxChannel: 'C0123456789',
  unit: 'days',
  next: 'contacts add anna@example.org',
  hasPage: true,
});

export const samples: Samples = {
  'the filled everyday form': connectView({
    baseUrl: 'https://files.example.com',
    username: 'api@example.com',
    inboxChannel: 'C0123456789',
    unit: 'days',
    hasPage: true,
  }),
  'connected, everyday': connectedView('api@example.com'),
  'the greeting after connecting': connectedWelcome(),
  'disconnect, everyday': disconnectView('api@example.com'),
  'the empty form': connectView({ hasPage: false }),
  'the filled form': filled,
  connected: connectedView(hostileEmails[1] ?? ''),
  'connected, with an interrupted command': connectedView(hostileEmails[1] ?? '', 'c'.repeat(maxCommandChars)),
  'the key page': keyPageView(keyPageUrl, { next: 'c'.repeat(maxCommandChars) }),
  'the key page without sign-in': keyPageView(keyPageUrl, { code: '012345' }),
  disconnect: disconnectView(hostileTexts.huge ?? ''),
  'a form with an error': formWithError(
    {
      ...filled,
      state: { values: { baseUrl: { baseUrl: { type: 'plain_text_input', value: hostileTexts.mention ?? '' } } } },
    } as unknown as Parameters<typeof formWithError>[0],
    hostileTexts.huge ?? '',
  ),
};
