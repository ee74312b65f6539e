import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { policyWith, saveApproval } from '../features/approval.ts';
import { setUpApp } from '../helpers/app.ts';
import { killHard, startBotFor } from '../helpers/bot-process.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { setUpApproval } from './approval.ts';
import { fetchLink } from './download-link.ts';
import { linkTo, map, opensFiles, plan, waitsForReview } from './open-files.ts';
import { approves, setApproval } from './waiting-approval.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

test('if another approver decides during the upload, the copy is deleted', async () => {
  const setup = await setUpApproval(postgres, ({ anna, cleo }) => ({ every: true, approvers: [anna.id, cleo.id] }));
  const { acme, bo, anna, cleo, slack } = setup;
  await waitsForReview(bo, cleo, [map]);
  const upload = slack.addFault({ method: 'files.getUploadURLExternal', kind: 'delay' });
  await opensFiles(cleo);
  await upload.triggered;
  await approves(anna);
  upload.release();
  await cleo.sees("⚠️ “map.png” couldn't be opened. The transfer no longer waits for approval.");
  expect(acme.files.filter(({ deleted }) => !deleted)).toHaveLength(1);
});

test('an approver who decides during the upload still gets the copy', async () => {
  const setup = await setUpApproval(postgres, ({ cleo }) => ({ every: true, approvers: [cleo.id] }));
  const { bo, cleo, slack } = setup;
  await waitsForReview(bo, cleo, [map]);
  const upload = slack.addFault({ method: 'files.getUploadURLExternal', kind: 'delay' });
  await opensFiles(cleo);
  await upload.triggered;
  await approves(cleo);
  upload.release();
  await cleo.sees("Here's your copy of “map.png”.");
});

test('an approver gets no file that a policy added later forbids', async () => {
  const setup = await setUpApproval(postgres, ({ cleo }) => ({ every: true, approvers: [cleo.id] }));
  const { acme, anna, bo, cleo, services } = setup;
  await waitsForReview(bo, cleo, [map]);
  const rules = { fileTypes: 'block' as const, extensions: ['png'] };
  await changeSettings(services, { workspace: acme.id, person: anna.id }, rules);
  await opensFiles(cleo);
  await cleo.sees("“map.png” can't be sent. This workspace doesn't allow these file types: .png.");
});

test('without the scope for files, an approver learns how to allow it', async () => {
  const options = { declined: ['files:write'] };
  const setup = await setUpApproval(postgres, ({ cleo }) => ({ every: true, approvers: [cleo.id] }), options);
  const { bo, cleo } = setup;
  await waitsForReview(bo, cleo, [map]);
  await opensFiles(cleo);
  await cleo.sees('the permission “files:write” was declined');
});

test('after kill -9 during the upload, the approver gets one copy', async () => {
  const app = await setUpApp(postgres, { hasExternalBot: true });
  const { acme, anna, bo, slack, services } = app;
  slack.behaviour.timeoutMs = 60_000;
  const cleo = acme.addPerson({ name: 'Cleo' });
  const policy = policyWith({ every: true, approvers: [cleo.id] });
  await saveApproval(services, { workspace: acme.id, person: anna.id }, policy);
  const first = await startBotFor(programs, app);
  await waitsForReview(bo, cleo, [plan]);
  const hanging = slack.addFault({ method: 'files.completeUploadExternal', kind: 'hang-after' });
  await opensFiles(cleo);
  await hanging.triggered;
  await killHard(first);
  hanging.remove();
  await startBotFor(programs, app);
  await cleo.sees("Here's your copy of “plan.pdf”.");
  expect((await cleo.downloads('plan.pdf')).sha256).toBe(sha256(plan.data));
  expect(acme.files).toHaveLength(2);
}, 120_000);

test("an approver's link to a file works once, and only for an approver", async () => {
  const options = { hasPublicUrl: true };
  const setup = await setUpApproval(postgres, ({ cleo }) => ({ every: true, approvers: [cleo.id] }), options);
  const { acme, bo, anna, cleo, services } = setup;
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { delivery: 'link' });
  await waitsForReview(bo, cleo, [plan, map]);
  await opensFiles(cleo);
  const link = await linkTo(cleo, plan.name);
  expect(String((await fetchLink(link, 'GET')).body)).toContain('<button>Download</button>');
  const first = await fetchLink(link, 'POST');
  expect([first.status, String(first.body), first.headers['content-length']]).toEqual([200, plan.data, '8']);
  expect((await fetchLink(link, 'POST')).status).toBe(404);
  const other = await linkTo(cleo, map.name);
  await setApproval(setup, { every: true, approvers: [anna.id] });
  const refused = await fetchLink(other, 'POST');
  expect(String(refused.body)).toContain('approve transfers in this workspace.');
  expect(acme.files).toHaveLength(2);
  const entries = () => services.store.audit.list(acme.id, { action: 'open file' });
  await expect.poll(entries).toMatchObject([
    { person: cleo.id, outcome: 'not-allowed', details: { files: [{ name: map.name }] } },
    { person: cleo.id, outcome: 'done', details: { files: [{ name: plan.name }] } },
  ]);
});

test("an approver doesn't get a file that was changed after the sender confirmed it", async () => {
  const { acme, bo, cleo, services } = await setUpApproval(postgres, ({ cleo }) => ({
    every: true,
    approvers: [cleo.id],
  }));
  await waitsForReview(bo, cleo, [{ name: 'notes.txt', data: 'one', snippet: true }]);
  await bo.editsSnippet('notes.txt', 'two');
  await opensFiles(cleo);
  await cleo.sees(
    "⚠️ “notes.txt” couldn't be opened. It was changed or deleted after the sender confirmed the transfer.",
  );
  expect(acme.files).toHaveLength(1);
  await expect
    .poll(() => services.store.audit.list(acme.id, { action: 'open file' }))
    .toMatchObject([{ person: cleo.id, outcome: 'changed', details: { files: [{ name: 'notes.txt' }] } }]);
});
