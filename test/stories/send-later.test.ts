import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();
const plan = [{ name: 'plan.pdf', data: 'the plan' }];
const hours = (many: number) => new Date(Date.now() + many * 3_600_000).toISOString();

type Setup = Awaited<ReturnType<typeof setUpApp>>;

/** Bo plans to send a file in so many hours, and closes the modal. */
async function plans({ bo }: Setup, inHours: number): Promise<void> {
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.fills('Message', 'Here you are');
  await bo.submits('Review');
  await bo.fills('Send later', hours(inHours));
  await bo.submits('Send 1 file to 1 person');
}

async function shownAsPlanned({ bo }: Setup): Promise<void> {
  await bo.sees('Everything is checked again before that.');
  await bo.closes();
  await bo.opens('Dropline');
  await bo.sees('Planned');
  await bo.sees('Goes out');
}

/** As if the planned time had come. */
async function letTimeCome({ services, acme }: Setup): Promise<void> {
  const { rows } = await services.store.pool.query<{ id: string }>(
    "select id from dropline.transfers where workspace = $1 and state = 'planned'",
    [acme.id],
  );
  for (const { id } of rows) await services.queue.retryNow(`send ${id}`);
}

test('a planned transfer is on card, Home, status and files, and can be sent now', async () => {
  const setup = await setUpApp(postgres);
  const { bo, account } = setup;
  await stages(bo, plan);
  await plans(setup, 48);
  await shownAsPlanned(setup);
  await bo.types('/drop files', { in: 'Dropline' });
  await bo.sees('plan.pdf to carl@example.org:');
  await bo.closes();
  await bo.types('/drop status', { in: 'Dropline' });
  await bo.sees('1 planned.');
  await bo.closes();
  await bo.opens('Home of Dropline');
  await bo.sees('planned');
  expect(account.uploads).toEqual([]);
  await bo.opens('Dropline');
  await bo.clicks('Send now');
  await bo.sees('✅ Sent');
  expect(account.drops).toMatchObject([{ message: 'Here you are', files: [{ name: 'plan.pdf' }] }]);
});

test('a planned transfer can be edited, which is a new review, or cancelled', async () => {
  const setup = await setUpApp(postgres);
  const { bo, account, untilIdle } = setup;
  await stages(bo, plan);
  await plans(setup, 48);
  await shownAsPlanned(setup);
  await bo.clicks('Edit…');
  await bo.clicks('Edit');
  await bo.sees('Here you are');
  await bo.fills('Message', 'Here it is');
  await bo.submits('Review');
  await bo.submits('Send 1 file to 1 person');
  await shownAsPlanned(setup);
  await bo.clicks('Cancel');
  await bo.clicks('Cancel transfer');
  await bo.sees('Nothing was sent.');
  await untilIdle();
  expect(account.drops).toEqual([]);
});

test('times that are past, too late or too long for attached files are refused', async () => {
  const setup = await setUpApp(postgres);
  const { bo } = setup;
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.attaches('Files', plan);
  await bo.submits('Review');
  for (const [many, error] of [
    [-1, 'Choose a time in the future'],
    [24 * 31, 'Choose a time in the next 30 days.'],
    [25, 'Slack might not keep attached files for more than a day: plan.pdf.'],
  ] as const) {
    await bo.fills('Send later', hours(many));
    await bo.submits('Send 1 file to 1 person');
    await bo.sees(error);
  }
  await bo.fills('Send later', hours(23));
  await bo.submits('Send 1 file to 1 person');
  await bo.sees('Everything is checked again before that.');
});

test('the sender is told when a planned file is deleted, and nothing is sent', async () => {
  const setup = await setUpApp(postgres);
  const { bo, account, untilIdle } = setup;
  await stages(bo, plan);
  await plans(setup, 48);
  await shownAsPlanned(setup);
  await bo.deletesFile('plan.pdf');
  await bo.sees("⚠️ Deleted in Slack: plan.pdf. It won't be sent like this: edit or cancel it.");
  await letTimeCome(setup);
  await bo.sees('⚠️ Not sent');
  await untilIdle();
  expect(account.drops).toEqual([]);
});

test('an approved transfer waits for its planned time', async () => {
  const setup = await setUpApp(postgres);
  const { anna, bo, account, acme, services } = setup;
  await changeSettings(
    services,
    { workspace: acme.id, person: anna.id },
    { approvalRules: ['every'], approvers: [anna.id] },
  );
  await stages(bo, plan);
  await bo.types('/drop send', { in: 'Dropline' });
  await bo.picks('To', 'carl');
  await bo.submits('Review');
  await bo.fills('Send later', hours(24 * 20));
  await bo.submits('Request approval');
  await bo.closes();
  await anna.opens('Dropline');
  await anna.clicks('Review');
  await anna.sees('Planned for');
  await anna.submits('Approve');
  await bo.opens('Dropline');
  await bo.sees('Approved by');
  await bo.sees('Goes out');
  await letTimeCome(setup);
  await bo.sees('✅ Sent');
  expect(account.drops).toHaveLength(1);
});
