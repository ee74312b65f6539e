import { expect, test } from 'vitest';
import { describeChanges } from '../../src/features/settings/changes.ts';
import { withChannelId } from '../../src/features/settings/fields.ts';
import { defaultSettings } from '../../src/features/settings/repository.ts';

test.each(['true', 'constructor', '__proto__'])('the default message “%s” is recorded as it is', (message) => {
  expect(describeChanges(defaultSettings, { ...defaultSettings, message })).toEqual([
    { setting: 'The default message', from: [], to: [message] },
  ]);
});

test('a channel that an admin chose again under its new id is not listed twice', () => {
  const digest = (channel: string, hour: number) => ({ channel, every: 'day' as const, hour, zone: 'UTC' });
  const before = { ...defaultSettings, digests: [digest('G1', 8), digest('C1', 9)], watchedChannels: ['G1', 'C1'] };
  expect(withChannelId(before, 'G1', 'C1')).toEqual({
    ...before,
    digests: [digest('C1', 9)],
    watchedChannels: ['C1'],
  });
});
