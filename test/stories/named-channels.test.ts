import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { readSettings } from '../../src/features/settings/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('the members of a named private channel have the right while they are in it', async () => {
  const { anna, bo, acme, services, slack } = await setUpApp(postgres);
  const cleo = acme.addPerson({ name: 'Cleo' });
  const channel = acme.addChannel({ name: 'legal-inbox', kind: 'private', members: [anna, bo, 'app'] });
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change permissions');
  await anna.sees('If you name a private channel, all its members have the right.');
  await anna.picks('Who can send files?', 'Admins and selected people');
  await anna.picks('Private channels whose members can send files', 'legal-inbox');
  await anna.submits('Save');
  await anna.sees('Admins, members of #legal-inbox can send files.');
  expect(await readSettings(services, { workspace: acme.id })).toMatchObject({ senders: [channel.id] });
  const canSend = async (person: typeof bo, text: string) => {
    await person.types('/drop recipients', { in: 'Dropline' });
    await person.sees(text);
    await person.closes();
  };
  const refused = "You can't send files in this workspace. An admin can allow it in the settings.";
  await canSend(bo, 'Only you can see this.');
  await canSend(cleo, refused);
  channel.add(cleo);
  channel.remove(bo);
  await canSend(cleo, 'Only you can see this.');
  await canSend(bo, refused);
  slack.addFault({ method: 'conversations.members', kind: 'error', error: 'internal_error', times: 20 });
  await canSend(cleo, "Slack didn't say who is in the channel. Try again.");
});

test('a named channel that is public, shared or archived gives nobody a right', async () => {
  const { anna, bo, acme, changeSettings } = await setUpNamed();
  const channel = acme.addChannel({ name: 'second-admins', kind: 'private', members: [bo, 'app'] });
  await changeSettings({ admins: [channel.id] });
  const opensSettings = async (text: string) => {
    await bo.types('/drop settings', { in: '#general' });
    await bo.sees(text);
    await bo.closes();
  };
  await opensSettings('Additional admins: members of #second-admins.');
  await changeSettings({ undoSeconds: 5 });
  await bo.opens('#second-admins');
  await bo.sees('@Anna shortened the time to undo to 5 seconds.');
  await bo.opens('#general');
  channel.share();
  await opensSettings('Only admins can do this.');
  channel.unshare();
  channel.setKind('public');
  await opensSettings('Only admins can do this.');
  await opensSettings('Only admins can do this.');
  const warnings = () =>
    anna.messages.filter(({ text }) => text.includes('whose members have rights here is public now'));
  expect(warnings()).toHaveLength(1);
  channel.setKind('private');
  await opensSettings('Additional admins: members of #second-admins.');
  channel.archive();
  await opensSettings('Only admins can do this.');
  expect(warnings()).toHaveLength(1);
});

test('a setting takes private channels that I am in, and at most 5', async () => {
  const { anna, acme } = await setUpNamed();
  acme.addChannel({ name: 'without-me', kind: 'private', members: [anna] });
  for (const number of [1, 2, 3, 4, 5, 6])
    acme.addChannel({ name: `team-${number}`, kind: 'private', members: [anna, 'app'] });
  const field = 'Additional admins: members of private channels';
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change permissions');
  await anna.picks(field, 'without-me');
  await anna.submits('Save');
  await anna.sees("I'm not in this channel. Type /invite @dropline there, then try again.");
  await anna.unpicks(field, 'without-me');
  for (const number of [1, 2, 3, 4, 5, 6]) await anna.picks(field, `team-${number}`);
  await anna.submits('Save');
  await anna.sees(/: members of private channels \(optional\): .*\n +⚠ Too many channels \(limit 5\)\./);
});

async function setUpNamed() {
  const setup = await setUpApp(postgres);
  const admin = { workspace: setup.acme.id, person: setup.anna.id };
  return {
    ...setup,
    changeSettings: (changes: Parameters<typeof changeSettings>[2]) => changeSettings(setup.services, admin, changes),
  };
}
