import { expect, test } from 'vitest';
import { describeChanges } from '../../src/features/settings/changes.ts';
import { withChannelId } from '../../src/features/settings/operations.ts';
import { defaultSettings } from '../../src/features/settings/repository.ts';
import { inboxChannel } from '../helpers/inbox-channels.ts';

test.each(['true', 'constructor', '__proto__'])('the default message “%s” is recorded as it is', (message) => {
  expect(describeChanges(defaultSettings, { ...defaultSettings, message })).toEqual([
    { setting: 'Default message', from: [], to: [message] },
  ]);
});

test('a channel that an admin chose again under its new id is not listed twice', () => {
  const [earlier, current] = [inboxChannel('G1', { posts: 'hour' }), inboxChannel('C1', { senders: ['example.org'] })];
  const before = { ...defaultSettings, inboxChannels: [earlier, current], watchedChannels: ['G1', 'C1'] };
  expect(withChannelId(before, 'G1', 'C1')).toEqual({
    ...before,
    inboxChannels: [{ ...current, everythingElse: true }],
    watchedChannels: ['C1'],
  });
});
