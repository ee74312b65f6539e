import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { deliver, formType } from '../helpers/deliver.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();

test('the send form shows all errors together', async () => {
  const { anna, bo, acme, services, account } = await setUpApp(postgres);
  await changeSettings(
    services,
    { workspace: acme.id, person: anna.id },
    { expiryLongest: 30, recipientDomains: ['example.org'] },
  );
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.types('/drop send', { in: '#general' });
  await bo.sees('Choose at least one file here, or attach files below.');
  await bo.unpicks('Choose from your files ready to send', 'plan.pdf');
  await bo.picks('To', 'board');
  await bo.fills('Expires after (unit unknown)', '2.5');
  await bo.submits('Review');
  await bo.sees('This workspace only allows sending to example.org, not to dora@example.net.');
  await bo.sees('Choose at least one file.');
  await bo.sees('Enter a whole number of 1 or more.');
  await bo.fills('Expires after (unit unknown)', '31');
  await bo.unpicks('To', 'board');
  await bo.picks('To', 'carl');
  account.contacts.local = [];
  await bo.submits('Review');
  await bo.sees("carl@example.org (Carl) isn't in your contacts. Choose again.");
  await bo.sees('Choose at least one file.');
  await bo.sees('The maximum in this workspace is 30.');
});

test('without staged files, the send form requires attached files', async () => {
  const { bo } = await setUpApp(postgres);
  await bo.types('/drop send', { in: '#general' });
  await bo.picks('To', 'carl');
  expect(bo.screen()).not.toContain('Files (optional)');
  await expect(bo.submits('Review')).rejects.toThrow('Please complete this required field.');
  await bo.attaches('Files', [{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.submits('Review');
  await bo.sees("can't be recalled");
});

test('the request form shows all errors together', async () => {
  const { anna, acme, services } = await setUpApp(postgres);
  const settings = { requests: true, recipientDomains: ['example.com'] };
  await changeSettings(services, { workspace: acme.id, person: anna.id }, settings);
  await anna.types('/drop request', { in: '#general' });
  await anna.picks('Request from', 'carl');
  await anna.fills('Expires after (unit unknown)', '0');
  await anna.fills('Message', '  ');
  await anna.submits('Review');
  await anna.sees('not to carl@example.org.');
  await anna.sees('Enter a whole number of 1 or more.');
  await anna.sees('Enter a message or a checklist.');
});

test('the contact form shows all errors together', async () => {
  const { bo } = await setUpApp(postgres);
  await bo.types('/drop contacts', { in: '#general' });
  await bo.clicks('Add contact');
  await bo.fills('Email', 'fia');
  await bo.fills('Mobile number', '12');
  await bo.fills('New groups', `press, ${'x'.repeat(101)}`);
  await bo.submits('Add');
  await bo.sees('Enter a valid email address, like anna@example.com.');
  await bo.sees('Enter 5 to 20 digits, like 46701234567.');
  await bo.sees(`“${'x'.repeat(101)}” is longer than 100 characters.`);
  await bo.fills('Email', 'carl@example.org');
  await bo.submits('Add');
  await bo.sees('carl@example.org is already a contact.');
  await bo.sees('Enter 5 to 20 digits, like 46701234567.');
});

test('forms of the settings show all errors together and name the person or channel', async () => {
  const { anna, acme, gus } = await setUpApp(postgres);
  acme.addChannel({ name: 'closed', members: [anna] });
  acme.addChannel({ name: 'others-invited', members: [anna, 'app'], invited: true });
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change expiry');
  await anna.fills('Default expiry', 'a week');
  await anna.fills('Maximum expiry', '0');
  await anna.submits('Save');
  await anna.sees(/Enter a whole number of 1 or more\.[\s\S]*Enter a whole number of 1 or more\./);
  await anna.clicks('Cancel');
  await anna.clicks('Leave');
  await anna.clicks('Change sending');
  await anna.fills('Allowed domains', 'not/a/domain');
  await anna.picks('Watched channels', 'others-invited');
  await anna.submits('Save');
  await anna.sees("“not/a/domain” isn't a valid domain, like example.com.");
  await anna.sees('#others-invited is shared with another organisation. Choose another channel.');
  await anna.clicks('Cancel');
  await anna.clicks('Leave');
  await anna.clicks('Change permissions');
  await anna.picks('Additional admins', gus.name);
  await anna.picks('Who can send files?', 'Admins and selected people');
  await anna.picks('People who can send files', gus.name);
  await anna.picks('Who can request files?', 'Admins and selected people');
  await anna.sees('People who can request files');
  await anna.submits('Save');
  await anna.sees(/Gus can't use Dropline[\s\S]*Gus can't use Dropline/);
  await anna.sees('Select a person here or a channel below');
  await anna.clicks('Cancel');
  await anna.clicks('Change inbox channels');
  await anna.clicks('Add channel');
  await anna.fills('Senders', 'nobody');
  await anna.picks('Channel', 'closed');
  await anna.submits('Add');
  await anna.sees('“nobody” is neither an email address (anna@example.org) nor a domain (example.org).');
  await anna.sees("I'm not in #closed.");
});

test('the approval forms show all errors together', async () => {
  const { anna, acme, gus } = await setUpApp(postgres);
  acme.addChannel({ name: 'closed', kind: 'private', members: [anna] });
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change approval rules');
  await anna.fills('Trusted domains', 'not/a/domain');
  await anna.fills('Maximum recipients without approval', 'ten');
  await anna.fills('Total size without approval (MB)', '0');
  await anna.fills('File types that need approval', 'bad/one');
  await anna.submits('Save');
  await anna.sees("“not/a/domain” isn't a valid domain, like example.com.");
  expect(anna.screen().match(/Enter a whole number of 1 or more\./g)).toHaveLength(2);
  await anna.sees("“bad/one” isn't a valid file extension, like pdf.");
  await anna.clicks('Cancel');
  await anna.clicks('Leave');
  await anna.clicks('Change approvers');
  await anna.fills('Days to wait for a decision', '31');
  await anna.picks('Approvers', gus.name);
  await anna.picks('Approvers: members of private channels', 'closed');
  await anna.submits('Save');
  await anna.sees("I'm not in this channel.");
  await anna.sees('Enter a number from 1 to 30.');
});

test('the connect form shows all errors together', async () => {
  const { anna, acme, exchange } = await setUpApp(postgres, { connected: false });
  acme.addChannel({ name: 'closed', members: [anna] });
  await anna.types('/drop connect', { in: '#general' });
  await anna.fills('Service URL', 'files');
  await anna.fills('Account email', 'a:b');
  await anna.fills('API key', 'k');
  await anna.picks('Channel for incoming files', 'closed');
  await anna.picks('Expiry is counted in', 'days');
  await anna.submits('Test and connect');
  await anna.sees('Enter a valid URL, like https://files.example.com/exchange.');
  await anna.sees("The account can't contain a colon.");
  await anna.sees("I'm not in #closed.");
  expect(exchange.calls).toEqual([]);
});

test('a form that arrives without a list of blocks is answered with an error', async () => {
  const { bo, acme, url } = await setUpApp(postgres);
  const plain = (text: string) => ({ type: 'plain_text', text });
  const forms = ['send', 'unknown'].flatMap((callback_id) =>
    [undefined, null, {}].map((blocks) => ({ callback_id, blocks })),
  );
  for (const [index, form] of forms.entries()) {
    const view = { type: 'modal', id: `V${index}`, hash: 'x', title: plain('Form'), state: { values: {} }, ...form };
    const payload = JSON.stringify({ type: 'view_submission', team: { id: acme.id }, user: { id: bo.id }, view });
    const answer = await deliver(url, String(new URLSearchParams({ payload })), { type: formType });
    expect(await answer.text(), JSON.stringify(form)).toContain('"response_action":"update"');
  }
});
