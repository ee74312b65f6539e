import { expect, test } from 'vitest';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { opensReview, setUpApproval } from './approval.ts';
import { map, opensFiles, plan, waitsForReview } from './open-files.ts';
import { approves } from './waiting-approval.ts';

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
