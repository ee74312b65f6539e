import { expect, test } from 'vitest';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();
const refusal = "Guests, bots and people from other organisations can't use Dropline here.";

test('guests, outsiders and unlisted members get no file, and the refusal is audited', async () => {
  const { anna, bo, gus, acme, inbox, addItem, changeSettings, audited, exchange } = await setUpInboxApp(postgres);
  const sid = acme.addPerson({ name: 'Sid', role: 'stranger' });
  await changeSettings({ downloaders: [anna.id] });
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.sees('plan.pdf');
  // People from other organisations join after the item was posted.
  inbox.share();
  inbox.add(sid);
  for (const [person, message] of [
    [gus, refusal],
    [sid, refusal],
    [bo, "You can't download files in this workspace. An admin can allow it in the settings."],
  ] as const) {
    await person.opens('#inbox');
    await person.clicks('Download plan.pdf');
    await person.sees(message);
    expect((await audited()).at(-1)).toEqual({
      person: person.id,
      action: 'ask for a download',
      outcome: 'not-allowed',
    });
  }
  expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);
  inbox.remove(sid);
  inbox.unshare();
  await anna.clicks('Download plan.pdf');
  await anna.opens('Dropline');
  expect(String(await (await anna.downloads('plan.pdf')).read())).toBe('bytes of plan.pdf');
  // A refusal is visible only to the person who clicked, and doesn't count as a download.
  await anna.opens('#inbox');
  await anna.sees('Downloaded by @Anna');
  expect(anna.screen()).not.toContain("can't use Dropline");
  expect(anna.screen().match(/Downloaded by/g)).toHaveLength(1);
  expect(acme.files.filter(({ name }) => name === 'plan.pdf')).toHaveLength(1);
});

test('if a person loses permission after the click, they get a reason, not a file', async () => {
  const { anna, bo, acme, addItem, changeSettings, audited, exchange, slack } = await setUpInboxApp(postgres);
  await addItem('carl@example.org', ['plan.pdf']);
  await bo.sees('plan.pdf');
  const delayedMessage = slack.addFault({ method: 'chat.postMessage', kind: 'delay' });
  await bo.clicks('Download plan.pdf');
  await delayedMessage.triggered;
  await changeSettings({ downloaders: [anna.id] });
  delayedMessage.release();
  await bo.opens('Dropline');
  await bo.sees("“plan.pdf” from carl@example.org couldn't be downloaded.");
  await bo.sees("You can't download files in this workspace.");
  await bo.doesNotSee('again');
  expect((await audited()).at(-1)).toEqual({ person: bo.id, action: 'download', outcome: 'not-allowed' });
  expect(exchange.calls.filter(({ operation }) => operation === 'download')).toEqual([]);
  expect(acme.files).toEqual([]);
});
