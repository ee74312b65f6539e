import { expect, test } from 'vitest';
import { pause } from '../../src/features/pause/operations.ts';
import { setUpApp } from '../helpers/app.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { sendFile } from '../helpers/send-file.ts';

const postgres = startTestPostgres();

test('the Home tab shows transfers and the inbox, and works while the service is down', async () => {
  const setup = await setUpInboxApp(postgres);
  const { anna, bo, exchange } = setup;
  await sendFile(setup, bo, 'plan.pdf');
  await exchange.addInboxItem(user, { sender: 'carl@example.org', files: [{ name: 'answer.pdf', data: 'x' }] });
  const slow = exchange.addFault({ operation: 'upload', kind: 'delay' });
  const sending = sendFile(setup, bo, 'map.png', { recipients: ['dora@example.net'] });
  await slow.triggered;

  await expect
    .poll(
      async () => {
        await bo.opens('Home of Dropline');
        await bo.sees('In progress');
        return bo.screen();
      },
      { interval: 300 },
    )
    .toContain('answer.pdf from carl@example.org');
  await bo.sees('map.png to dora@example.net: sending');
  await bo.sees('Questions? You can ask @Anna, who set up Dropline here.');
  await bo.sees(/plan\.pdf to carl@example\.org\s+\[⋯ Send again \| Send to others\]\s+Sent,/);
  const committing = exchange.addFault({ operation: 'createdrop', kind: 'delay' });
  await slow.release();
  await committing.triggered;
  await anna.opens('Home of Dropline');
  await anna.sees('Recently sent');
  await anna.doesNotSee('on hold');
  await committing.release();
  await sending;
  await bo.clicks('Refresh');
  await bo.sees('No active transfers.');

  await anna.clicks('Refresh');
  await anna.sees(/plan\.pdf to carl@example\.org\s+Sent, .* by @Bo/);
  await anna.doesNotSee('Questions?');
  await exchange.close();
  await anna.clicks('Refresh');
  await anna.clicks('Help');
  await anna.sees('/drop settings');
  await anna.closes();
  await anna.clicks('Settings');
  await anna.sees('Change inbox channels');
});

test('before connecting, the Home tab lets admins connect and refers members to them', async () => {
  const { anna, bo, gus, exchange } = await setUpApp(postgres, { connected: false });
  await bo.opens('Home of Dropline');
  await bo.sees('Ask a workspace admin to type /drop connect.');
  await gus.opens('Home of Dropline');
  await gus.sees('Only members of this workspace can use Dropline');
  expect(gus.readScreen().lines.flatMap(({ controls }) => controls)).toEqual([]);
  await anna.opens('Home of Dropline');
  await anna.clicks('Connect');
  await anna.fills('Service URL', exchange.url);
  await anna.fills('Account email', user);
  await anna.fills('API key', apiKey);
  await anna.picks('Expiry is counted in', 'days');
  await anna.submits('Test and connect');
  await anna.sees('onnected to the file service as');
  await anna.closes();
  await anna.sees(`Connected to the file service as ${user}`);
  await anna.sees('[Send files]');
});

test('a person is welcomed once, on first opening the app; a guest is not', async () => {
  const { anna, bo, gus, slack, untilIdle } = await setUpApp(postgres);
  const welcomes = (person: typeof bo) => person.messages.filter(({ text }) => text.includes('Hello! I send files'));
  slack.addFault({ delivery: 'event', event: 'app_home_opened', kind: 'repeat' });
  await bo.opens('Home of Dropline');
  await bo.sees('In progress');
  await slack.untilIdle();
  await bo.opens('Dropline');
  await bo.sees('Hello! I send files');
  await bo.opens('Home of Dropline');
  await gus.opens('Dropline');
  await anna.opens('Dropline');
  await anna.sees('Hello! I send files');
  await untilIdle();
  expect([welcomes(bo).length, welcomes(gus).length, welcomes(anna).length]).toEqual([1, 0, 1]);
});

test('while the workspace is being disconnected, the Home tab says so', async () => {
  const { bo, acme, services } = await setUpApp(postgres);
  const { credentials } = services.store;
  const stored = await credentials.get({ workspace: acme.id });
  expect.assert(stored !== undefined);
  await credentials.set(acme.id, { ...stored, leavingSince: Date.now() });
  await bo.opens('Home of Dropline');
  await bo.sees('This workspace is being disconnected from the file service.');
  await bo.doesNotSee('In progress');
});

test('an older Home never replaces a newer one, whichever process publishes it', async () => {
  const { anna, bo, acme, slack, services, url, untilIdle, startAnotherBot } = await setUpApp(postgres);
  const other = await startAnotherBot();
  await bo.opens('Home of Dropline');
  await bo.sees('No active transfers.');
  const late = slack.addFault({ method: 'views.publish', kind: 'delay' });
  await bo.clicks('Refresh');
  await late.triggered;
  await pause(services, { workspace: acme.id, person: anna.id }, 'sending', 'Moving house');
  slack.deliverTo(other.url);
  await bo.clicks('Refresh');
  await bo.sees('Moving house');
  late.release();
  await untilIdle();
  expect(bo.screen()).toContain('Moving house');

  // The answer with the new hash is lost.
  slack.deliverTo(url);
  slack.addFault({ method: 'views.publish', kind: 'reset-after' });
  await bo.clicks('Refresh');
  await untilIdle();
  await pause(services, { workspace: acme.id, person: anna.id }, 'downloads', 'Spring cleaning');
  await bo.clicks('Refresh');
  await bo.sees('Spring cleaning');
});
