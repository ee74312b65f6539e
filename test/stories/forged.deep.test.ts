import { expect, test } from 'vitest';
import { clicks, forms } from '../helpers/forgeries.ts';
import { forgerFor } from '../helpers/forgery.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { expectRefusals, nameOf, setUpForgery } from './forged.ts';

const postgres = startTestPostgres();

/** Other stories cover these. */
const coveredElsewhere = [
  // The modal doesn't show their outcome, or shows the same text as for a refusal.
  [
    'files.unstage',
    'files.remove',
    'request.cancel',
    'request.now',
    'request.tick',
    'send.ask',
    'send.cancel',
    'send.now',
    'send.remove',
    'approval.open',
    'settings.turn-off',
  ],
  // The transfers are past their time to undo.
  ['request.undo', 'send.undo'],
  // These withdraw the reviews that other forgeries confirm.
  ['request.back', 'send.back'],
  // The channel is listed already, and a change needs the hash of what the form showed.
  ['settings.channel', 'settings.channel#change'],
  // Removes the inbox channel with Take and Done.
  ['settings.channel-remove'],
  // Refused unless the person or the sender has left (people-left.test.ts).
  ['settings.remove-person', 'send.continue'],
  // The channel is public (named-channels.test.ts).
  ['settings.approvers#channel'],
  // The channel is public, and has no files (move-files.test.ts).
  ['inbox.move', 'inbox.move#from'],
  // Refused while a transfer is active.
  ['connect.form'],
].flat();

test('forged clicks and forms from another organisation are refused and change nothing', () =>
  expectRefusals(postgres, 'stranger'));

test('an admin can use ids of their own workspace', async () => {
  const setup = await setUpForgery(postgres);
  const { anna, acme, ours } = setup;
  const forger = await forgerFor(anna, acme, anna);
  const refused: string[] = [];
  for (const [action, table] of [
    ['clicks', clicks],
    ['submits', forms],
  ] as const) {
    for (const [key, { reply, values }] of Object.entries(table)) {
      if (reply === undefined || coveredElsewhere.includes(key)) continue;
      // A person can have few unfinished clicks and forms at a time.
      do {
        await forger[action](nameOf(key), values?.(ours, ours) ?? {});
        await anna.doesNotSee(/One moment/);
      } while (anna.screen().includes('still working on your other requests'));
      await anna.doesNotSee(/Forged|One moment/);
      if (anna.screen().includes(reply)) refused.push(`${action} ${key}: ${anna.screen()}`);
    }
  }
  expect(refused).toEqual([]);
  await forger.picks('recipients', 'plain@example.org');
  await forger.picks('members', 'plain@example.org');
  await forger.picks('knownGroups', 'plain group');
  expect(anna.messages.filter(({ text }) => text.includes('⚠️'))).toEqual([]);
});
