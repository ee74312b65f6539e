import { expect, test } from 'vitest';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { readSettings } from '../../src/features/settings/repository.ts';
import { readDraft } from '../../src/features/staging/repository.ts';
import { cancelTransfer } from '../../src/features/transfers/lifecycle/operations.ts';
import { confirmSend, prepareSend, takeOver } from '../../src/features/transfers/send/operations.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();
type Setup = Awaited<ReturnType<typeof setUpApp>>;

/** The person becomes a guest, and the minute is over for which roles are cached. */
async function becomesGuest({ acme, services }: Setup, { id }: Person): Promise<void> {
  const user = acme.state.users.get(id);
  if (user !== undefined) user.role = 'guest';
  await services.people.roleOf({ workspace: acme.id, person: id }, { isCurrent: true });
}

test('settings list named people who left, and an admin removes them', async () => {
  const setup = await setUpApp(postgres);
  const { acme, anna, bo, services } = setup;
  const cleo = acme.addPerson({ name: 'Cleo' });
  const admin = { workspace: acme.id, person: anna.id };
  await changeSettings(services, admin, { admins: [bo.id, cleo.id], senders: [cleo.id], auditors: [cleo.id] });
  await anna.types('/drop settings', { in: '#general' });
  await anna.doesNotSee('has left or is a guest now');
  await anna.closes();
  await becomesGuest(setup, cleo);
  await anna.types('/drop settings', { in: '#general' });
  await anna.sees('@Cleo has left or is a guest now, and has no rights. Still named in “Additional admins”, “Who can');
  await anna.clicks('Remove');
  await anna.sees('✅ Saved.');
  await anna.doesNotSee('Cleo');
  expect(await readSettings(services, { workspace: acme.id })).toMatchObject({
    admins: [bo.id],
    senders: 'admins',
    auditors: [],
  });
  await anna.closes();
  await anna.types('/drop audit', { in: '#general' });
  await anna.sees('Additional admins: @Bo, @Cleo → @Bo');
});

test('the last trusted sender who left stays until an admin chooses another one', async () => {
  const setup = await setUpApp(postgres);
  const { acme, anna, bo, services } = setup;
  const cleo = acme.addPerson({ name: 'Cleo' });
  const admin = { workspace: acme.id, person: anna.id };
  await changeSettings(services, admin, { approvalSenders: [cleo.id], approvers: [bo.id] });
  await becomesGuest(setup, cleo);
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Remove');
  await anna.sees('This is the only trusted sender.');
  expect(await readSettings(services, { workspace: acme.id })).toMatchObject({ approvalSenders: [cleo.id] });
});

test('an admin continues or cancels what someone who left had waiting', async () => {
  const setup = await setUpApp(postgres);
  const { anna, bo, account } = setup;
  const plans = async (name: string, message: string) => {
    await stages(bo, [{ name, data: 'the plan' }]);
    await bo.types('/drop send', { in: 'Dropline' });
    await bo.picks('To', 'carl');
    await bo.fills('Message', message);
    await bo.submits('Review');
    await bo.fills('Send later', new Date(Date.now() + 48 * 3_600_000).toISOString());
    await bo.submits('Send 1 file to 1 person');
    await bo.sees('Everything is checked again before that.');
    await bo.closes();
  };
  await plans('plan.pdf', 'Here you are');
  await plans('second.pdf', 'Another one');
  await anna.types('/drop status', { in: '#general' });
  await anna.sees('2 planned.');
  await anna.doesNotSee('has left');
  await anna.closes();
  await becomesGuest(setup, bo);
  await anna.types('/drop status', { in: '#general' });
  await anna.sees("@Bo has left or is a guest now, so this can't be sent: plan.pdf to carl@example.org");
  await anna.clicks('Cancel', { near: 'plan.pdf' });
  await anna.confirms('Cancel transfer');
  await anna.sees('✅ Transfer cancelled.');
  await anna.doesNotSee('plan.pdf');
  await anna.clicks('Continue…');
  await anna.confirms('Continue');
  await anna.sees('second.pdf');
  await anna.sees('Another one');
  await anna.submits('Review');
  await anna.sees("can't be recalled");
  await anna.fills('Send later', '');
  await anna.submits('Send 1 file to 1 person');
  await anna.sees("I'll update you in our direct messages.");
  await anna.closes();
  await anna.opens('Dropline');
  await anna.sees('✅ Sent');
  expect(account.drops).toMatchObject([{ message: 'Another one', files: [{ name: 'second.pdf' }] }]);
  await anna.types('/drop status', { in: '#general' });
  await anna.doesNotSee('has left');
});

test('only an admin takes over a transfer, and only from someone who left', async () => {
  const setup = await setUpApp(postgres);
  const { acme, anna, bo, services } = setup;
  const cleo = acme.addPerson({ name: 'Cleo' });
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  const actorOf = ({ id }: Person) => ({ workspace: acme.id, person: id });
  const { staged } = await readDraft(services, actorOf(bo));
  const draft = { recipients: ['carl@example.org'], groups: [], files: staged, message: 'Hello', expiresAfter: 7 };
  const { reviewId } = await prepareSend(services, actorOf(bo), draft);
  const plannedFor = Math.floor(Date.now() / 1000) + 86_400;
  await confirmSend(services, actorOf(bo), reviewId, { plannedFor });
  await expect(takeOver(services, actorOf(anna), reviewId)).rejects.toThrow('The sender can use Dropline again');
  await becomesGuest(setup, bo);
  await expect(takeOver(services, actorOf(cleo), reviewId)).rejects.toThrow('Only admins can do this.');
  await expect(cancelTransfer(services, actorOf(cleo), reviewId)).rejects.toThrow('Only admins can do this.');
  await expect(cancelTransfer(services, actorOf(bo), reviewId)).rejects.toThrow("can't use Dropline here");
  await takeOver(services, actorOf(anna), reviewId);
  expect((await readDraft(services, actorOf(anna))).recipients).toEqual(['carl@example.org']);
  await expect(takeOver(services, actorOf(anna), reviewId)).rejects.toThrow('Transfer not found.');
});
