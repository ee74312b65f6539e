import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { opensReview, setUpApproval } from './approval.ts';
import { fetchLink } from './download-link.ts';
import { linkTo, map, opensFiles, plan, waitsForReview } from './open-files.ts';
import { approves, setApproval } from './waiting-approval.ts';

const postgres = startTestPostgres();

test('an approver opens the files before deciding, and no one else gets them', async () => {
  const setup = await setUpApproval(postgres, ({ anna, cleo }) => ({ every: true, approvers: [anna.id, cleo.id] }));
  const { acme, bo, anna, cleo, account } = setup;
  await waitsForReview(bo, cleo, [plan, map]);
  await opensFiles(cleo);
  for (const { name, data } of [plan, map]) {
    await cleo.sees(`Here's your copy of “${name}”.`);
    expect((await cleo.downloads(name)).sha256).toBe(sha256(data));
  }
  const copies = acme.files.filter(({ title }) => [plan.name, map.name].includes(title ?? ''));
  expect(copies).toHaveLength(4);
  for (const person of [anna, bo])
    expect(person.messages.filter(({ text }) => text.includes('your copy of'))).toEqual([]);
  expect(account.drops).toEqual([]);
  await opensReview(anna);
  await approves(cleo);
  await anna.clicks('Open files');
  await anna.sees('Approved by @Cleo');
  await anna.closes();
  await setup.untilIdle();
  await anna.types('/drop audit', { in: '#general' });
  for (const name of [plan.name, map.name]) await anna.sees(`@Cleo opened ${name} to review it`);
});

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
