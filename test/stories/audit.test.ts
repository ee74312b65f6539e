import { expect, test } from 'vitest';
import { auditExport } from '../../src/features/audit/export.ts';
import { idsOfActor } from '../../src/features/common/connection.ts';
import { dayOf } from '../../src/lib/time-zone.ts';
import { setUpApp } from '../helpers/app.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { sendFile } from '../helpers/send-file.ts';

const postgres = startTestPostgres();

test('an admin filters the audit log by person and action, and exports it as CSV', async () => {
  const setup = await setUpApp(postgres);
  const { anna, bo, slack, untilIdle } = setup;
  await sendFile(setup, bo, '=cmd().pdf');
  await anna.types('/drop audit', { in: '#general' });
  await anna.sees('@Bo sent =cmd().pdf to carl@example.org');
  await anna.sees(/@Anna connected the workspace\n.*account: /);
  await anna.picks('Person', bo.name);
  await anna.submits('Search');
  await anna.doesNotSee('@Anna connected the workspace');
  await anna.picks('Action', 'Connected the workspace');
  await anna.submits('Search');
  await anna.sees('No results.');

  slack.addFault({ delivery: 'block_actions', kind: 'duplicate' });
  await anna.clicks('Export as CSV');
  await anna.sees("I'll send you the CSV in a direct message.");
  await anna.closes();
  await anna.opens('Dropline');
  const name = `audit-${dayOf(Date.now(), 'Europe/Stockholm')}.csv`;
  await anna.sees(`Here's the audit of this workspace as CSV: ${name}.`);
  const table = String(await (await anna.downloads(name)).read());
  expect(table).toContain(`${bo.id},Bo,send,sent,`);
  expect(table).toContain(`${anna.id},Anna,connect,done,`);
  expect(table).not.toMatch(/(^|,)=/m);
  await untilIdle();
  expect(slack.calls.filter(({ method }) => method === 'files.completeUploadExternal')).toHaveLength(1);
});

test('a reference in an error message is also in the audit log and in the log', async () => {
  const { anna, bo, addItem, logged, slack } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.sees('plan.pdf');
  slack.addFault({ method: 'users.info', kind: 'error', error: 'fatal_error' });
  await bo.clicks('Download plan.pdf');
  await bo.sees(/Something went wrong\..*\(Reference \w{8}\)/);
  const [, reference = ''] = /\(Reference (\w{8})\)/.exec(bo.screen()) ?? [];
  await anna.types('/drop audit');
  await anna.sees(new RegExp(`@Bo tried to ask for a download of a file: failed[^@]*Reference ${reference}`));
  const lines = logged()
    .split('\n')
    .filter((line) => line.includes(`"${reference}"`));
  expect(lines.map((line) => JSON.parse(line).msg).sort()).toEqual(['failed', 'operation']);
});

test('only admins see the audit log; a DM explains a failed export before a disconnect', async () => {
  const { anna, bo, gus, slack } = await setUpApp(postgres);
  for (const [person, message] of [
    [bo, 'Only admins and auditors can do this.'],
    [gus, "Guests, bots and people from other organisations can't use Dropline here."],
  ] as const) {
    await person.types('/drop audit', { in: '#general' });
    await person.sees(message);
  }
  slack.addFault({ method: 'files.getUploadURLExternal', kind: 'error', error: 'missing_scope' });
  await anna.types('/drop disconnect', { in: '#general' });
  await anna.clicks('Export audit log');
  await anna.sees("I'll send you the CSV");
  await anna.closes();
  await anna.opens('Dropline');
  await anna.sees("⚠️ The audit couldn't be exported. I can't add files to Slack here");
});

test('an export is refused if the person is no longer an admin when it runs', async () => {
  const { bo, acme, services } = await setUpApp(postgres);
  await services.queue.add(auditExport.job, idsOfActor({ workspace: acme.id, person: bo.id }));
  await bo.opens('Dropline');
  await bo.sees(/The audit couldn't be exported\..* Only admins and auditors can do this\./);
});

test('the CSV arrives even if the audit log is closed right after the click on Export', async () => {
  const { anna, slack, untilIdle } = await setUpApp(postgres);
  await anna.types('/drop audit', { in: '#general' });
  await anna.sees('Export as CSV');
  const late = slack.addFault({ delivery: 'block_actions', kind: 'delay' });
  const clicked = anna.clicks('Export as CSV');
  await late.triggered;
  await anna.closes();
  late.release();
  await clicked;
  await anna.opens('Dropline');
  await anna.sees("Here's the audit of this workspace as CSV: audit-");
  await untilIdle();
  expect(anna.messages.filter(({ text }) => /went wrong/.test(text))).toEqual([]);
});
