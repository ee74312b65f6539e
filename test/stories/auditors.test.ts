import { test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, reviews } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();

test('an auditor reads and exports audit and history of everyone, and nothing else', async () => {
  const { anna, bo } = await setUpApp(postgres);
  await reviews(anna, { attached: [{ name: 'plan.pdf', data: 'the plan' }] });
  await confirms(anna, 1);
  await anna.sees('✅ Sent');
  await bo.types('/drop audit', { in: 'Dropline' });
  await bo.sees('Only admins and auditors can do this.');
  await bo.closes();
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change permissions');
  await anna.picks('Auditors', bo.name);
  await anna.picks('Who can send files?', 'Admins only');
  await anna.submits('Save');
  await anna.sees('Auditors: @Bo.');

  await bo.types('/drop audit', { in: 'Dropline' });
  await bo.sees('@Anna changed settings');
  await bo.clicks('Export as CSV');
  await bo.sees("I'll send you the CSV in a direct message.");
  await bo.closes();
  await bo.opens('Dropline');
  await bo.sees('audit-');
  await bo.types('/drop history', { in: 'Dropline' });
  await bo.sees('Everything sent from this account, newest first.');
  await bo.sees('by @Anna');
  await bo.clicks('Details');
  await bo.sees('carl@example.org');
  await bo.doesNotSee('Send again');
  await bo.closes();
  await bo.types('/drop help', { in: 'Dropline' });
  await bo.sees('/drop audit');
  await bo.sees('/drop history');
  await bo.doesNotSee('/drop send [name]');
  await bo.doesNotSee('/drop settings');
  await bo.opens('Home of Dropline');
  await bo.sees('[Audit log]');
  await bo.sees('[History]');
  await bo.doesNotSee('[Settings]');
  for (const command of ['send', 'settings']) {
    await bo.types(`/drop ${command}`, { in: 'Dropline' });
    await bo.sees(command === 'send' ? "You can't send files in this workspace." : 'Only admins can do this.');
    await bo.closes();
  }
});
