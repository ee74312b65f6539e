import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('the page People shows what a person can do and why, and what not', async () => {
  const { anna, bo, gus, acme, services, slack } = await setUpApp(postgres);
  const channel = acme.addChannel({ name: 'legal-inbox', kind: 'private', members: [bo, 'app'] });
  const admin = { workspace: acme.id, person: anna.id };
  await changeSettings(services, admin, { downloaders: [channel.id], contactEditors: 'admins', approvers: [bo.id] });
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('People');
  await anna.sees('Choose a person to see what they can do, and why.');
  let isFirst = true;
  const sees = async (person: typeof bo, texts: string[]) => {
    await anna.picks(isFirst ? 'Choose a person' : 'Choose another person', person.name);
    isFirst = false;
    for (const text of texts) await anna.sees(text);
  };
  await sees(bo, [
    'send files: everyone can',
    'download files from the channels that they can read: member of #legal-inbox',
    "approve other people's transfers: named in “Approvers”",
    'request files: file requests are off',
    'change contacts: not named in “Who can change contacts”',
    "read the audit log and everyone's history: not named in “Auditors”",
    'disconnect this workspace: not an admin or owner in Slack',
  ]);
  await sees(anna, [
    'change contacts: admin or owner in Slack',
    "approve other people's transfers: not named in “Approvers”",
  ]);
  await sees(gus, ["can't use Dropline: has left, or is a guest, a bot or from another organisation."]);
  await anna.doesNotSee('everyone can');
  await changeSettings(services, admin, { admins: [channel.id] });
  await sees(bo, [
    'change contacts: additional admin, as member of #legal-inbox',
    'disconnect this workspace: not an admin or owner in Slack',
  ]);
  slack.addFault({ method: 'conversations.members', kind: 'error', error: 'internal_error', times: 20 });
  await sees(bo, ["Slack didn't say who is in #legal-inbox. Try again.", 'change contacts: not named in']);
});

test('only an admin sees what others can do', async () => {
  const { anna, bo, acme, services } = await setUpApp(postgres);
  const admin = { workspace: acme.id, person: anna.id };
  await changeSettings(services, admin, { admins: [bo.id] });
  await bo.types('/drop settings', { in: '#general' });
  await bo.clicks('People');
  await bo.sees('Choose a person');
  await changeSettings(services, admin, { admins: [] });
  await bo.picks('Choose a person', anna.name);
  await bo.sees('Only admins can do this.');
  expect(bo.screen()).not.toContain('everyone can');
});
