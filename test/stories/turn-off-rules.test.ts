import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { readSettings, settingsDrafts } from '../../src/features/settings/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import type { TestPostgres } from '../helpers/postgres.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

const rules = {
  approvalRules: ['newRecipients' as const, 'requests' as const],
  approvalDomains: ['example.com'],
  approvalMb: 5,
  approvalTypes: ['zip'],
};

async function setUpRules(server: TestPostgres) {
  const setup = await setUpApp(server);
  const { acme, anna, bo, services } = setup;
  const admin = { workspace: acme.id, person: anna.id };
  const change = (changes: Parameters<typeof changeSettings>[2]) => changeSettings(services, admin, changes);
  await change({ ...rules, approvers: [anna.id, bo.id] });
  return { ...setup, change, stored: () => readSettings(services, { workspace: acme.id }) };
}

test('rules are turned off only after a page that lists them is confirmed', async () => {
  const { anna, stored, slack } = await setUpRules(postgres);
  await anna.types('/drop settings', { in: '#general' });
  await anna.sees(
    '@Anna, @Bo can approve transfers, for 3 days. Approval is needed for new recipients, recipients outside example.com,',
  );
  await anna.clicks('Change approval rules');
  await anna.clicks('For new recipients');
  await anna.clicks('For file requests too');
  await anna.fills('Trusted domains', '');
  await anna.fills('File types that need approval', '');
  await anna.fills('Total size without approval (MB)', '9');
  await anna.submits('Save');
  await anna.sees('== Turn off 4 rules? ==');
  await anna.sees(
    /Approval for new recipients\s+.*Approval for file requests too\s+.*Approval of recipients outside trusted domains\s+.*Approval of file types/,
  );
  expect(await stored()).toMatchObject(rules);
  slack.addFault({ delivery: 'view_submission', kind: 'duplicate' });
  await anna.submits('Turn off');
  await anna.sees('✅ Saved.');
  await anna.sees('Approval is needed for more than 9.0 MB.');
  expect(await stored()).toMatchObject({ approvalRules: [], approvalDomains: [], approvalTypes: [], approvalMb: 9 });
});

test('going back from the page that turns off rules saves nothing', async () => {
  const { anna, stored } = await setUpRules(postgres);
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change approval rules');
  await anna.fills('Trusted domains', '');
  await anna.fills('Maximum recipients without approval', '9');
  await anna.submits('Save');
  await anna.sees('== Turn off 1 rule? ==');
  await anna.clicks('Back');
  await anna.sees('== Settings ==');
  expect(await stored()).toMatchObject(rules);
  expect(await stored()).not.toHaveProperty('approvalRecipients');
  await anna.clicks('Change approval rules');
  await anna.sees('Trusted domains (optional): example.com');
});

test("a rule that another admin has changed isn't turned off", async () => {
  const { anna, change, stored } = await setUpRules(postgres);
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change approval rules');
  await anna.fills('Trusted domains', '');
  await anna.submits('Save');
  await anna.sees('== Turn off 1 rule? ==');
  await change({ approvalDomains: ['example.org'], approvalMb: 2 });
  await anna.submits('Turn off');
  await anna.sees('Trusted domains was changed by someone else. Open the settings again.');
  expect(await stored()).toMatchObject({ approvalDomains: ['example.org'], approvalMb: 2 });
});

test('a page that turns off rules expires, and saves nothing after that', async () => {
  const { anna, acme, services, stored } = await setUpRules(postgres);
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change approval rules');
  await anna.fills('File types that need approval', '');
  await anna.submits('Save');
  await anna.sees('== Turn off 1 rule? ==');
  await services.store.collection(settingsDrafts).delete(acme.id, anna.id);
  await anna.submits('Turn off');
  await anna.sees('This page has expired, and nothing was saved. Open the settings again.');
  expect(await stored()).toMatchObject(rules);
});

test('removing settings that are no rules says so', async () => {
  const { anna, bo, acme, change, stored } = await setUpRules(postgres);
  const plans = acme.addChannel({ name: 'plans', members: [anna, 'app'] });
  await change({ watchedChannels: [plans.id], message: 'Kind regards', admins: [bo.id] });
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change sending');
  await anna.unpicks('Watched channels', 'plans');
  await anna.fills('Default message', '');
  await anna.submits('Save');
  await anna.sees(/== Remove 2 settings\? ==\s+.*The default message\s+.*All watched channels/);
  await anna.submits('Remove');
  await anna.sees('✅ Saved.');
  expect(await stored()).toMatchObject({ watchedChannels: [], message: '', admins: [bo.id] });
});
