import { expect, test } from 'vitest';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { withPrivateChannel } from './private-channel.ts';

const postgres = startTestPostgres();

const warning = '⚠️ Some go to a public channel, where everyone who can download sees them.';

test('each inbox channel says who sees its files, and a removal warns of a public one', async () => {
  const { anna, inbox, legal, changeLegal } = await withPrivateChannel(setUpInboxApp, postgres);
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change inbox channels');
  await anna.sees(/#inbox · everything else .*\nPublic: everyone who can download sees its files\./);
  await anna.sees(/#legal · law\.example .*\n🔒 Private: only its members see its files\./);
  const removes = async (label: string, isWarned: boolean) => {
    await anna.clicks(label);
    await anna.sees('Their next files go to the other inbox channels, or else an admin is notified.');
    expect(anna.screen().includes(warning), label).toBe(isWarned);
    await anna.declines('Cancel');
  };
  await removes('Remove channel for law.example', true);
  await removes('Remove channel for everything else', false);
  inbox.setKind('private');
  legal.setKind('public');
  await anna.clicks('Back');
  await anna.clicks('Change inbox channels');
  await anna.sees(/#inbox · everything else .*\n🔒 Private/);
  await removes('Remove channel for law.example', false);
  legal.setKind('private');
  await changeLegal({ senders: ['lea@law.example'], everythingElse: false });
  await anna.clicks('Back');
  await anna.clicks('Change inbox channels');
  await removes('Remove channel for lea@law.example', false);
  await anna.clicks('Add channel');
  await anna.sees('Only members of a private channel see its files.');
});
