import { expect, test } from 'vitest';
import { describeChanges } from '../../src/features/settings/changes.ts';
import { defaultSettings } from '../../src/features/settings/repository.ts';

test.each(['true', 'constructor', '__proto__'])('the default message “%s” is recorded as it is', (message) => {
  expect(describeChanges(defaultSettings, { ...defaultSettings, message })).toEqual([
    { setting: 'The default message', from: [], to: [message] },
  ]);
});
