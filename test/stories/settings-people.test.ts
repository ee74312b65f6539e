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
    "approve other people's transfers: named in the settings",
    "- change contacts\n- read the audit log and everyone's history\n- change settings, and everything else for admins",
  ]);
  await sees(anna, ['change contacts: admin or owner in Slack', "@Anna can't:\n- approve other people's transfers\n"]);
  await sees(gus, ["can't use Dropline: has left, or is a guest, a bot or from another organisation."]);
  await anna.doesNotSee('everyone can');
  await changeSettings(services, admin, { admins: [channel.id] });
  await sees(bo, [
    'change contacts: additional admin, as member of #legal-inbox',
    "@Bo can't:\n- disconnect this workspace\n",
  ]);
  slack.addFault({ method: 'conversations.members', kind: 'error', error: 'internal_error', times: 20 });
  await sees(bo, ["Slack didn't say who is in #legal-inbox. Try again.", '- change contacts\n']);
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
