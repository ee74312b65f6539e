import { expect, test } from 'vitest';
import { changeDraft } from '../../src/features/staging/repository.ts';
import type { Upload } from '../../src/sandbox/slack/index.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();

test('while the service is down, staged files are shown and can be removed', async () => {
  const { bo, exchange } = await setUpApp(postgres);
  await bo.opens('Dropline');
  await bo.shares([{ name: 'plan.pdf', data: 'the plan' }]);
  await bo.sees('Ready to send: plan.pdf.');
  await exchange.close();
  await bo.types('/drop files');
  await bo.sees("Couldn't reach the service.");
  await bo.clicks('Remove plan.pdf');
  await bo.sees('No files yet.');
});

const secret = { name: 'secret.pdf', data: 'the secret' };

const plan = { name: 'plan.pdf', data: 'the plan' };

/** Stages files by id alone, like files attached to a form: the bot has not looked them up yet. */
async function stagesById({ bo, acme, services }: AppSetup, files: readonly Upload[]): Promise<void> {
  acme.addChannel({ name: 'plans', members: [bo, 'app'] });
  await bo.shares(files, { in: '#plans' });
  const staged = acme.files.map(({ id }) => id);
  await changeDraft(services, { workspace: acme.id, person: bo.id }, () => ({ staged }));
  await bo.opens('Dropline');
}

const denied = "I can't read this file. Share it with me in a direct message.";

test.each([
  ['access_denied', denied],
  ['not_visible', denied],
  ['ekm_access_denied', "Slack can't show me this file (ekm_access_denied)."],
  ['file_not_found', "A file that's no longer in Slack"],
  ['internal_error', "Slack can't show me this file right now (internal_error). Try again later."],
])('if Slack refuses a staged file with %s, forms work and the file can be removed', async (refusal, message) => {
  const setup = await setUpApp(postgres);
  const { bo, acme, account } = setup;
  await stagesById(setup, [secret, plan]);
  Object.assign(acme.files.find(({ name }) => name === 'secret.pdf') ?? {}, { refusal });
  await bo.types('/drop files');
  await bo.sees('plan.pdf · 8 bytes');
  await bo.sees(message);
  await bo.closes();
  await bo.types('/drop send');
  await bo.sees(`⚠️ ${message}`);
  await bo.picks('To', 'carl');
  await bo.fills('Message', 'As agreed');
  await bo.clicks('Remove');
  await bo.doesNotSee(message);
  await bo.submits('Review');
  await bo.sees('Message: As agreed');
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  expect(account.drops.map(({ files }) => files.map(({ name }) => name))).toEqual([['plan.pdf']]);
  await bo.types('/drop files');
  await bo.sees('No files yet.');
});

test("a missing scope isn't reported as a problem with a file", async () => {
  const setup = await setUpApp(postgres);
  const { bo, slack } = setup;
  await stagesById(setup, [plan]);
  slack.addFault({ method: 'files.info', kind: 'error', error: 'missing_scope' });
  await bo.types('/drop files');
  await bo.sees('Something went wrong.');
});

test('an answer that Slack rejects is retried and shown once', async () => {
  const { anna, bo, slack } = await setUpApp(postgres);
  // Wait for the welcome messages, so that the fault hits the answer to the shared file.
  await anna.opens('Dropline');
  await anna.sees('The inbox is empty.');
  await anna.sees('Hello! I send files');
  await bo.opens('Dropline');
  await bo.sees('Hello! I send files');
  const fault = slack.addFault({ method: 'chat.postMessage', kind: 'error', error: 'internal_error' });
  await bo.shares([{ name: 'plan.pdf', data: 'the plan' }]);
  await fault.triggered;
  await bo.sees('Ready to send: plan.pdf.');
  await slack.untilIdle();
  expect(bo.messages.filter(({ text }) => text.includes('Ready to send'))).toHaveLength(1);
});
