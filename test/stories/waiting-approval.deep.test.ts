import { expect, test } from 'vitest';
import { policyWith, saveApproval } from '../features/approval.ts';
import { setUpApp } from '../helpers/app.ts';
import { killHard, startBotFor } from '../helpers/bot-process.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';
import { reviews, stages } from '../helpers/send-steps.ts';
import { rewriteContent } from '../helpers/transfers.ts';
import { dateIn } from './expiry.ts';
import { sendUnconfirmed } from './send-unconfirmed.ts';
import { approves, requestsApproval, requestsApprovalWithDate, setApproval } from './waiting-approval.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

test.each([
  ['before Slack accepts a card', 'hang', 1],
  ['after Slack accepted a card', 'hang-after', 2],
] as const)(
  'after kill -9 %s, each approver has a card and one decision counts',
  async (_, kind, maxCards) => {
    const app = await setUpApp(postgres, { hasExternalBot: true });
    const { acme, anna, bo, account, slack, services } = app;
    slack.behaviour.timeoutMs = 60_000;
    const approvers = ['Cleo', 'Dan', 'Eve'].map((name) => acme.addPerson({ name }));
    const policy = policyWith({ every: true, approvers: approvers.map(({ id }) => id) });
    await saveApproval(services, { workspace: acme.id, person: anna.id }, policy);
    const first = await startBotFor(programs, app);
    await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
    await reviews(bo);
    // The first message after the confirmation is the sender's card or that of an approver.
    const hanging = slack.addFault({ method: 'chat.postMessage', kind, times: 2 });
    await bo.submits('Request approval');
    await hanging.triggered;
    await killHard(first);
    hanging.remove();
    await startBotFor(programs, app);
    const cardsOf = (person: (typeof approvers)[number]) =>
      person.messages.filter(({ text }) => text.includes('wants to send'));
    for (const person of approvers) {
      await person.opens('Dropline');
      await person.sees('[Review]');
    }
    for (const person of approvers) expect(cardsOf(person).length).toBeLessThanOrEqual(maxCards);
    const repeated = approvers.filter((person) => cardsOf(person).length > 1);
    expect(repeated.length).toBeLessThanOrEqual(1);
    const [one, other] = approvers.filter((person) => !repeated.includes(person));
    if (one === undefined || other === undefined) throw new Error('too few approvers');
    await other.clicks('Review');
    await other.sees('[Approve]');
    await one.clicks('Review');
    await one.submits('Approve');
    await one.sees(`Approved by @${one.name}`);
    await other.submits('Approve');
    await other.sees(`Approved by @${one.name}`);
    const outcomes = async () =>
      (await services.store.audit.list(acme.id, { action: 'send' })).map(({ outcome }) => outcome);
    await expect.poll(outcomes, { timeout: 60_000 }).toEqual(['sent']);
    expect(account.drops).toHaveLength(1);
  },
  180_000,
);

test('if the expiry date of a transfer has passed, it is not sent and can be edited', async () => {
  const app = await setUpApp(postgres);
  const { anna, bo, account, services } = app;
  const id = await requestsApprovalWithDate(app, dateIn(10));
  await rewriteContent(services.store, id, { expiryDate: dateIn(-1) });
  await approves(anna);
  await bo.opens('Dropline');
  await bo.sees(`The expiry date ${dateIn(-1)} has passed. Nothing was sent.`);
  expect(account).toMatchObject({ drops: [], uploads: [] });
  await bo.clicks('Edit…');
  await bo.sees(`Expires after (days): ${dateIn(-1)}`);
  await bo.submits('Review');
  await bo.sees(`${dateIn(-1)} is too early or isn't a date. Choose a later date.`);
});

test("the approver's review has the duplicate warning that the sender saw", async () => {
  const app = await sendUnconfirmed(postgres);
  const { anna, bo } = app;
  await setApproval(app, { every: true, approvers: [anna.id] });
  await bo.clicks('Try again…');
  await bo.sees('Possible duplicate. You tried to send this ');
  await requestsApproval(bo);
  await anna.opens('Dropline');
  await anna.clicks('Review');
  await anna.sees('Possible duplicate. The sender tried to send this ');
  await anna.sees('If you approve this, the recipients could get it twice.');
});

test('the policies form shows the errors of all fields together', async () => {
  const { anna } = await setUpApp(postgres);
  await anna.types('/drop settings', { in: '#general' });
  await anna.clicks('Change file rules');
  await anna.picks('File types', 'All except these');
  await anna.fills('Extensions', 'bad/one');
  await anna.fills('Largest file (MB)', '0.5');
  await anna.fills('Largest transfer (MB)', 'x');
  await anna.submits('Save');
  await anna.sees("“bad/one” isn't a valid file extension, like pdf.");
  expect(anna.screen().match(/Enter a whole number of 1 or more\./g)).toHaveLength(2);
});
