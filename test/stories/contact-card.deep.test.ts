import { expect, test } from 'vitest';
import { readTransferHistory } from '../../src/features/contactcard/operations.ts';
import { contactsOf } from '../../src/features/contacts/list/operations.ts';
import { permissionSettings, permissions } from '../../src/features/settings/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import { sentEntry } from '../helpers/exchange.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { sendFile } from '../helpers/send-file.ts';

const postgres = startTestPostgres();

test("each section of a contact's card needs the same permission as its command", async () => {
  const setup = await setUpInboxApp(postgres);
  const { bo, acme, services, changeSettings, addItem } = setup;
  await sendFile(setup, bo, 'plan.pdf');
  await addItem('carl@example.org', ['passport.jpg']);
  await bo.opens('#inbox');
  await bo.sees('passport.jpg');
  const { local } = await contactsOf(services, { workspace: acme.id });
  const carl = local.find(({ email }) => email === 'carl@example.org');
  if (carl === undefined) throw new Error('no contact');
  const actor = { workspace: acme.id, person: bo.id };
  for (let allowed = 0; allowed < 2 ** permissions.length; allowed += 1) {
    const isAllowed = (index: number) => (allowed & (1 << index)) !== 0;
    const rights = Object.fromEntries(
      permissions.map((name, index) => [permissionSettings[name], isAllowed(index) ? 'everyone' : 'admins']),
    );
    await changeSettings({ requests: true, ...rights });
    const card = await readTransferHistory(services, actor, { ...carl, email: 'carl@example.org' });
    expect(
      [card.sent !== undefined, card.canSend, card.received !== undefined, card.canRequest],
      JSON.stringify(rights),
    ).toEqual(['senders', 'senders', 'downloaders', 'requesters'].map((name) => rights[name] === 'everyone'));
  }
});

test("a contact's card shows the newest transfers, or that they can't be read", async () => {
  const { anna, account, exchange } = await setUpInboxApp(postgres);
  account.drops = Array.from({ length: 20_000 }, (_, number) =>
    sentEntry(number, { receivers: [{ email: number % 2 ? 'carl@example.org' : 'dora@example.net' }] }),
  );
  await anna.types('/drop contacts carl', { in: '#general' });
  await anna.sees('19999.txt');
  await anna.sees('To see all 10,000, type /drop history carl@example.org');
  expect(anna.screen()).not.toContain('19998.txt');
  await anna.closes();
  exchange.addFault({ operation: 'get_history', kind: 'answer', answer: { status: 500, body: '' }, times: 1_000 });
  await anna.types('/drop contacts carl');
  await anna.sees("⚠️ The service's history couldn't be read. Try again later.");
  await anna.sees('Nothing received yet.');
});

test("recipient suggestions start with the person's recent recipients", async () => {
  const setup = await setUpApp(postgres);
  const { anna, bo, slack } = setup;
  await sendFile(setup, bo, 'one.pdf', { recipients: ['emil@example.com'] });
  await sendFile(setup, bo, 'two.pdf', { recipients: ['dora@example.net'] });
  await sendFile(setup, bo, 'three.pdf', { recipients: ['dora@example.net'] });
  slack.behaviour.timeoutMs = 500;
  const offered = async (person: typeof bo) => {
    await person.types('/drop recipients', { in: '#general' });
    await person.sees('Recipients of your next transfer');
    const error = await person.picks('Recipients of your next transfer', 'exa').catch(String);
    await person.closes();
    return /Offered: (.*)/.exec(String(error))?.[1];
  };
  expect(await offered(bo)).toMatch(/^dora@.*emil@.*carl@/);
  expect(await offered(anna)).toMatch(/^carl@.*dora@.*emil@/);
});
