import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Samples } from './hostile-texts.ts';

const folder = new URL('./samples/', import.meta.url);
const files = readdirSync(folder).map((file) => import(new URL(file, folder).href) as Promise<{ samples: Samples }>);
const samples = (await Promise.all(files)).map(({ samples: all }) => all);

interface ShownButton {
  action_id: string;
  style?: string;
  confirm?: { style?: string };
}

/** Every button of every sample. */
const buttons: ShownButton[] = [];
JSON.stringify(samples, (_, value) => {
  if (value?.type === 'button') buttons.push(value);
  return value;
});

/** Buttons that delete, cancel or disconnect something. */
const destructive = [
  'connect.disconnect',
  'contacts.leave',
  'files.remove',
  'request.cancel',
  'send.cancel',
  'send.remove',
  'settings.channel-remove',
  'settings.remove-person',
  'status.cancel',
  'status.clear-files',
  'status.clear-recipients',
];

test.each(destructive)('the button %s is red, and so is its confirmation, if any', (action) => {
  const found = buttons.filter(({ action_id: id }) => id.split('#')[0] === action);
  expect(found).not.toEqual([]);
  for (const { style, confirm } of found) expect([style, confirm?.style]).toEqual(['danger', confirm && 'danger']);
});

test('every other button with a confirmation is listed as an exception', () => {
  const withConfirmation = buttons
    .filter(({ confirm }) => confirm !== undefined)
    .map(({ action_id: id }) => id.split('#')[0]);
  const others = withConfirmation.filter((id) => !destructive.includes(id ?? ''));
  // These delete nothing. They change a setting or a plan, concern an infected file, or resume what was paused or on hold.
  expect([...new Set(others)].sort()).toEqual([
    'contacts.only-adds',
    'inbox.clean',
    'inbox.download',
    'pause.continue',
    'pause.resume',
    'send.continue',
    'send.undo',
    'status.release',
  ]);
});
