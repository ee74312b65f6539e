import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import { createServiceAgent } from '../../src/exchange/index.ts';
import type { FileRecord } from '../../src/sandbox/slack/index.ts';
import { createFileSources } from '../../src/slack/files.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, reviews, stages } from '../helpers/send-steps.ts';
import { expectNothingSent, plan } from './send-sources.ts';

const postgres = startTestPostgres();

const blobOf = (data: string): FileRecord['data'] => ({
  size: data.length,
  async *open() {
    yield Buffer.from(data);
  },
});

interface SourceProblem {
  what: string;
  /** Runs after Slack has returned the file's info and before the download. */
  cause(file: FileRecord): void;
  message: string;
}

const signInPage = '<!doctype html><title>Sign in | Slack</title>';
const noAccess = "I can't read it. Invite me to its channel, or send it to me in a direct message.";

const problems: SourceProblem[] = [
  {
    what: 'behind a sign-in page',
    cause: (file) => void Object.assign(file, { givenToApp: false }),
    message: noAccess,
  },
  {
    what: 'that arrives as a web page',
    cause: (file) =>
      void Object.assign(file, { mimetype: 'text/html', size: signInPage.length, data: blobOf(signInPage) }),
    message: noAccess,
  },
  {
    what: 'that is longer than announced',
    cause: (file) => void Object.assign(file, { size: 40, data: blobOf('x'.repeat(40)) }),
    message: "The file's size differs from what Slack reports.",
  },
  {
    what: 'that is shorter than announced',
    cause: (file) => void Object.assign(file, { size: 4, data: blobOf('xxxx') }),
    message: "The file's size differs from what Slack reports.",
  },
  {
    what: 'that is deleted before the download',
    cause: (file) => void Object.assign(file, { deleted: true }),
    message: "It's no longer there.",
  },
];

test.each(problems.map((problem) => [problem.what, problem] as const))(
  'a file %s is not sent, and the card says why',
  async (_, { cause, message }) => {
    const setup = await setUpApp(postgres);
    const { bo, acme, slack } = setup;
    await reviews(bo, { attached: [plan] });
    const delayedDownload = slack.addFault({ method: 'download', kind: 'delay' });
    await confirms(bo, 1);
    await delayedDownload.triggered;
    const [file] = acme.files;
    if (file === undefined) throw new Error('no file was shared');
    cause(file);
    delayedDownload.release();
    await bo.sees('⚠️ Not sent');
    await bo.sees(`“plan.pdf” couldn't be uploaded, so nothing was sent. ${message}`);
    expectNothingSent(setup);
  },
);

test('an empty file is sent unchanged', async () => {
  const { bo, account } = await setUpApp(postgres);
  await reviews(bo, { attached: [{ name: 'empty.pdf', data: '' }] });
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  expect(account.drops.map(({ files }) => files.map(({ sha256: sum }) => sum))).toEqual([[sha256('')]]);
});

test.each([
  ['scanned', 0],
  ['not scanned yet', 100],
])('files with HTML content are sent unchanged: %s', async (_, scanLag) => {
  const { bo, account, slack } = await setUpApp(postgres);
  slack.behaviour.scanLag = scanLag;
  const files = ['report.xls', 'letter.doc', 'index.html'].map((name) => ({ name, data: `<html><p>${name}</p>` }));
  await reviews(bo, { attached: files });
  await confirms(bo, 3);
  await bo.sees('✅ Sent');
  expect(account.drops[0]?.files.map(({ sha256: sum }) => sum)).toEqual(files.map(({ data }) => sha256(data)));
});

test('a download from Slack that returns no bytes fails with a timeout message', async () => {
  const { bo, acme, slack, services } = await setUpApp(postgres);
  await stages(bo, [plan]);
  const [file] = acme.files;
  const open = async function* () {
    await once(new EventEmitter(), 'never');
    yield Buffer.alloc(0);
  };
  Object.assign(file ?? {}, { data: { size: plan.data.length, open } });
  const { botOf, clientOf } = services.slack;
  const sources = createFileSources({
    botOf,
    clientOf,
    apiUrl: slack.apiUrl,
    publicHosts: createServiceAgent().calls,
    openTimeoutMs: 300,
  });
  const opening = sources.open(acme.id, file?.id ?? '', new AbortController().signal);
  await expect(opening).rejects.toMatchObject({ code: 'file-failed', message: expect.stringContaining('in time') });
});

test.each<[string, (setup: AppSetup) => unknown, string]>([
  ['deleted', ({ bo }) => bo.deletesFile('plan.pdf'), '“plan.pdf” is gone since you confirmed.'],
  [
    'changed',
    ({ acme }) => Object.assign(acme.files[0] ?? {}, { size: 3 }),
    '“plan.pdf” was changed since you confirmed.',
  ],
  [
    'that is an image of another size now',
    ({ acme }) => Object.assign(acme.files[0] ?? {}, { mimetype: 'image/jpeg', stripped: blobOf('x'.repeat(40)) }),
    '“plan.pdf” was changed since you confirmed.',
  ],
  [
    'edited to the same size',
    async ({ bo, acme }) => {
      Object.assign(acme.files[0] ?? {}, { mode: 'snippet' });
      await bo.editsSnippet('plan.pdf', plan.data.toUpperCase());
    },
    '“plan.pdf” was changed since you confirmed.',
  ],
])('a file %s after confirming stops the transfer before the upload', async (_, cause, message) => {
  const setup = await setUpApp(postgres);
  const { bo, exchange } = setup;
  await stages(bo, [plan]);
  await reviews(bo);
  const delay = exchange.addFault({ operation: 'contacts_read', kind: 'delay' });
  await confirms(bo, 1);
  await delay.triggered;
  await cause(setup);
  await delay.release();
  await bo.sees(message);
  expect(exchange.calls.filter(({ operation }) => operation === 'upload')).toEqual([]);
  expectNothingSent(setup);
});

test('if Slack refuses a confirmed file, nothing is sent, and the file can be left out', async () => {
  const setup = await setUpApp(postgres);
  const { bo, acme, exchange, account } = setup;
  await stages(bo, [plan, { name: 'map.png', data: 'the map' }]);
  await reviews(bo);
  const delay = exchange.addFault({ operation: 'contacts_read', kind: 'delay' });
  await confirms(bo, 2);
  await delay.triggered;
  Object.assign(acme.files.find(({ name }) => name === 'map.png') ?? {}, { refusal: 'access_denied' });
  await delay.release();
  await bo.sees("“map.png”: I can't read this file. Share it with me in a direct message. Nothing was sent.");
  expect(account).toMatchObject({ drops: [], uploads: [], receivers: [] });
  await bo.clicks('Send without map.png…');
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  expect(account.drops.map(({ files }) => files.map(({ name }) => name))).toEqual([['plan.pdf']]);
});

test('if a file is deleted while the send form is open, the file field says so', async () => {
  const setup = await setUpApp(postgres);
  const { bo } = setup;
  await stages(bo, [plan, { name: 'map.png', data: 'the map' }]);
  await bo.types('/drop send');
  await bo.picks('To', 'carl');
  await bo.deletesFile('map.png');
  await bo.submits('Review');
  await bo.sees('No longer in Slack: map.png (7 bytes). Remove it and review again.');
  await bo.unpicks('Choose from your files ready to send', 'map.png');
  await bo.submits('Review');
  await bo.submits('Send 1 file to 1 person');
  await bo.sees("I'll update you in our direct messages.");
});

test.each([
  ['quip', 'a canvas'],
  ['list', 'a list'],
  ['email', 'an email'],
  ['new-kind', 'something that only Slack can open'],
])('a Slack file of mode %s is refused as %s', async (mode, what) => {
  const { bo } = await setUpApp(postgres);
  await bo.opens('Dropline');
  await bo.shares([{ name: 'Notes', data: 'x', mode }]);
  await bo.sees(`“Notes” is ${what} and can't be sent.`);
});

test('the card shows the failed file, and the other files can be sent without it', async () => {
  const setup = await setUpApp(postgres);
  const { bo, slack, acme, account } = setup;
  await reviews(bo, { attached: [plan, { name: 'map.png', data: 'the map' }] });
  const delayedDownload = slack.addFault({ method: 'download', kind: 'delay' });
  await confirms(bo, 2);
  await delayedDownload.triggered;
  Object.assign(acme.files.find(({ name }) => name === 'map.png') ?? {}, { givenToApp: false });
  delayedDownload.release();
  await bo.sees('“map.png” is gone since you confirmed. Nothing was sent. Send it to me again.');
  expect(account).toMatchObject({ drops: [], uploads: [], receivers: [] });
  await bo.clicks('Send without map.png…');
  await bo.sees("can't be recalled");
  await confirms(bo, 1);
  await bo.sees('✅ Sent');
  expect(account.drops.map(({ files }) => files.map(({ name }) => name))).toEqual([['plan.pdf']]);
});

test('for a file in a conversation without the bot, the send form says what is wrong', async () => {
  const { anna, bo, acme } = await setUpApp(postgres);
  acme.addChannel({ name: 'board', kind: 'private', members: [anna, bo] });
  await bo.shares([plan], { in: '#board', text: 'the plan' });
  await bo.usesShortcut('Send securely', { on: 'the plan' });
  await bo.sees("⚠️ “plan.pdf” was deleted, or is in a conversation I'm not in.");
});
