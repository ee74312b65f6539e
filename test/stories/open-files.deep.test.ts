import { expect, test } from 'vitest';
import { saveApproval } from '../../src/features/settings/approval/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { defaultSettings } from '../../src/features/settings/repository.ts';
import { policyWith } from '../features/approval.ts';
import { setUpApp } from '../helpers/app.ts';
import { killHard, startBotFor } from '../helpers/bot-process.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { setUpApproval } from './approval.ts';
import { map, opensFiles, plan, waitsForReview } from './open-files.ts';
import { approves } from './waiting-approval.ts';

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
  const approval = policyWith({ every: true, approvers: [cleo.id] });
  const policies = { ...defaultSettings.policies, approval, fileTypes: 'block' as const, extensions: ['png'] };
  await changeSettings(services, { workspace: acme.id, person: anna.id }, { policies });
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
