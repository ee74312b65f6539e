import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { prepareSend } from '../../src/features/transfers/send/operations.ts';
import { admin, anna, setUpFeatures, until } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirmTransfer, draft } from './approval.ts';
import { expectedOutcomes, lastCellsOf, use } from './rights-moments.ts';

const postgres = startTestPostgres();

// Until then, each moment is allowed. All other cells are in the deep tier.
test.each(lastCellsOf('left the channel'))('$right, lost before $moment: a person who $way', async (cell) => {
  const { right, way, moment } = cell;
  const setup = await setUpFeatures(postgres);
  expect(await use(setup, right, way, moment)).toEqual(expectedOutcomes(right, moment));
});

test("a transfer's job waits until Slack lists the members of a named channel", async () => {
  const setup = await setUpFeatures(postgres);
  const { services, channelMembers, store, queue } = setup;
  channelMembers.set('C1', [anna.person]);
  await changeSettings(services, admin, { senders: ['C1'] });
  const id = await confirmTransfer(setup);
  let asked = 0;
  const silent = async () => {
    asked += 1;
    throw new Error('Slack is down');
  };
  const people = { ...services.people, membersOf: silent };
  const runner = await setup.startWorker({ services: { ...setup.otherServices(store), people } });
  await until(() => (asked > 0 ? true : undefined), 'the job to ask Slack');
  await until(async () => ((await queue.size()) === 1 ? true : undefined), 'the job to be queued again');
  await runner.stop();
  await expect(prepareSend({ ...services, people }, anna, { ...draft, files: [] })).rejects.toThrow(
    "Slack didn't say who is in the channel. Try again.",
  );
  await setup.startWorker();
  await queue.retryNow(`send ${id}`);
  expect((await setup.untilEnded(id)).state).toBe('sent');
});
