import { expect, test } from 'vitest';
import { exportAudit } from '../../src/features/audit/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { checks, confirms, stages } from '../helpers/sending.ts';
import { hasSent } from '../helpers/sent.ts';

const postgres = startTestPostgres();

test('an admin sees who did what, by person and kind, and takes it along as a table', async () => {
  const setup = await setUpApp(postgres);
  const { anna, bo, slack, atRest } = setup;
  await hasSent(setup, bo, '=cmd().pdf');
  await anna.types('/drop audit', { in: '#general' });
  await anna.sees(/@Bo Dispatch: sent/);
  await anna.sees('files: =cmd().pdf; receivers: carl@example.org');
  await anna.sees(/@Anna Connect the workspace: done/);
  await anna.picks('Who', bo.name);
  await anna.submits('Show');
  await anna.doesNotSee('Connect the workspace: done');
  await anna.picks('What', 'Confirm a dispatch');
  await anna.submits('Show');
  await anna.doesNotSee('Dispatch: sent');
  await anna.sees('Confirm a dispatch: done');

  slack.addFault({ delivery: 'block_actions', kind: 'duplicate' });
  await anna.clicks('Export everything as a table');
  await anna.sees('The audit comes to you as a table, in a direct message.');
  await anna.closes();
  await anna.opens('Dropline');
  const name = `audit-${new Date().toISOString().slice(0, 10)}.csv`;
  await anna.sees(`The audit of this workspace, as a table: ${name}.`);
  const table = String(await (await anna.downloads(name)).read());
  expect(table).toContain(`${bo.id},Bo,dispatch,sent,`);
  expect(table).toContain(`${anna.id},Anna,connect,done,`);
  expect(table).not.toMatch(/(^|,)=/m);
  await atRest();
  expect(slack.calls.filter(({ method }) => method === 'files.completeUploadExternal')).toHaveLength(1);
});

test('the reference that somebody quotes is found in the audit and in the log', async () => {
  const { anna, gus, arrive, logged } = await setUpInboxApp(postgres);
  await arrive('carl@example.org', ['plan.pdf']);
  await gus.opens('#inbox');
  await gus.clicks('Download plan.pdf');
  await gus.sees(/cannot use Dropline here\. \(Reference \w{8}\)/);
  const [, quoted = ''] = /\(Reference (\w{8})\)/.exec(gus.screen()) ?? [];
  await anna.types('/drop audit');
  await anna.sees(new RegExp(`@Gus Ask for a download: not allowed[^@]*Reference ${quoted}`));
  const lines = logged()
    .split('\n')
    .filter((line) => line.includes(`"${quoted}"`));
  expect(lines.map((line) => JSON.parse(line).msg).sort()).toEqual(['operation', 'refused']);
});

test('a failed dispatch and request show a reference that the audit and the log have', async () => {
  const { anna, bo, exchange, logged, set } = await setUpInboxApp(postgres);
  await set({ requests: true });
  exchange.addFault({ operation: 'receivers_set', kind: 'answer', answer: { status: 409, body: 'No.' }, times: 20 });
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await checks(bo);
  await confirms(bo, 1);
  await bo.sees(/Not sent[\s\S]*\(Reference \w{8}\)/);
  await bo.types('/drop request');
  await bo.picks('Who should send you files?', 'dora@example.net');
  await bo.fills('Message to them', 'Please');
  await bo.submits('Next');
  await bo.submits('Ask 1 person');
  await bo.opens('Dropline');
  await bo.sees(/did not go out[\s\S]*\(Reference \w{8}\)/);
  const quoted = [...new Set(Array.from(bo.screen().matchAll(/\(Reference (\w{8})\)/g), ([, reference]) => reference))];
  expect(quoted).toHaveLength(2);
  const lines = logged()
    .split('\n')
    .filter((line) => line.includes('"transfer ended"'))
    .map((line) => JSON.parse(line));
  expect(lines.map(({ reference }) => reference)).toEqual(quoted);
  expect(lines).toMatchObject([
    { level: 'warn', operation: 'dispatch', reason: expect.any(String) },
    { level: 'warn', operation: 'grant', reason: expect.any(String) },
  ]);
  await anna.types('/drop audit');
  for (const reference of quoted) await anna.sees(new RegExp(`Reference ${reference}$`, 'm'));
});

test('many acts have pages', async () => {
  const { anna, acme, services } = await setUpApp(postgres);
  for (let number = 1; number <= 20; number += 1) {
    const act = {
      workspace: acme.id,
      person: anna.id,
      act: 'download',
      outcome: 'done',
      details: { file: `${number}.txt` },
    };
    await services.store.audit.record({ ...act, reference: `R${number}` });
  }
  await anna.types('/drop audit', { in: '#general' });
  await anna.sees('file: 20.txt');
  await anna.doesNotSee('file: 5.txt');
  await anna.clicks('Older');
  await anna.sees('file: 5.txt');
  await anna.sees('Connect the workspace: done');
  await anna.clicks('Newest');
  await anna.sees('file: 20.txt');
});

test('the audit is offered before disconnecting, and said where files may not be put into Slack', async () => {
  const { anna, bo, gus, slack } = await setUpApp(postgres);
  for (const [person, words] of [
    [bo, 'Only admins can.'],
    [gus, 'Guests, bots and people from other organisations cannot use Dropline here.'],
  ] as const) {
    await person.types('/drop audit', { in: '#general' });
    await person.sees(words);
  }
  slack.addFault({ method: 'files.getUploadURLExternal', kind: 'error', error: 'missing_scope' });
  await anna.types('/drop disconnect', { in: '#general' });
  await anna.clicks('Export the audit');
  await anna.sees('comes to you as a table');
  await anna.closes();
  await anna.opens('Dropline');
  await anna.sees("⚠️ The audit could not be exported. I can't add files to Slack here");
});

test('where files:write was declined, an export is refused with a link to allow it', async () => {
  const { anna, atRest, url } = await setUpApp(postgres, { declined: ['files:write'], hasPublicUrl: true });
  await anna.types('/drop disconnect', { in: '#general' });
  await anna.clicks('Export the audit');
  await anna.sees("I can't add files to Slack here, because the permission “files:write” was declined.");
  await anna.clicks('Allow file access');
  expect(anna.opened).toEqual([`${url}/slack/install`]);
  await atRest();
  expect(anna.messages.filter(({ text }) => text.includes('audit'))).toEqual([]);
});

test('an export that leaves older entries out says since when', async () => {
  const { anna, acme, services } = await setUpApp(postgres);
  const admin = { workspace: acme.id, person: anna.id };
  const old = { ...admin, act: 'download', outcome: 'done', details: {} };
  for (let number = 0; number < 1_200; number += 1)
    await services.store.audit.record({ ...old, reference: `R${number}` });
  const whole = await exportAudit(services, admin);
  expect(whole.olderThan).toBeUndefined();
  expect(whole.csv).toContain(',R0,');
  const part = await exportAudit(services, admin, { most: 500 });
  expect(part.csv).not.toContain(',R0,');
  expect(part.csv.trim().split('\n').at(-1)).toContain(part.olderThan);
});
