import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { sha256 } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { stages } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();

test('people can remove their staged files; only admins can remove unexpected files', async () => {
  const { anna, bo, account } = await setUpApp(postgres, { timing: { batchMs: 1_000 } });
  for (const name of ['old.doc', 'other.doc']) {
    account.uploads.push({ name, type: 'text/plain', bytes: 3, sha256: sha256('old') });
  }
  await bo.opens('Dropline');
  await bo.shares([
    { name: 'plan.pdf', data: 'the plan' },
    { name: 'map.png', data: 'the map' },
  ]);
  await bo.sees('Ready to send: map.png and plan.pdf.');
  await bo.types('/drop files');
  await bo.sees('plan.pdf · 8 bytes');
  await bo.sees('old.doc · 3 B · not uploaded by Dropline, blocks sending');
  await bo.sees('Admins can delete them.');
  await bo.clicks('Remove map.png');
  await bo.doesNotSee('map.png');
  await bo.clicks('Send 1 file…');
  await bo.sees('plan.pdf');
  await bo.doesNotSee('map.png');
  await bo.closes();

  await anna.types('/drop files', { in: '#general' });
  await anna.sees('No files yet.');
  await anna.clicks('Delete old.doc');
  await anna.declines('Cancel');
  expect(account.uploads).toHaveLength(2);
  await anna.clicks('Delete old.doc');
  await anna.confirms('Delete');
  await anna.doesNotSee('old.doc');
  expect(account.uploads.map(({ name }) => name)).toEqual(['other.doc']);
});

const secret = { name: 'secret.pdf', data: 'the secret' };

const denied = "I can't read this file. Share it with me in a direct message.";

test('if a staged file is refused while the form is open, the file field says so', async () => {
  const { bo, acme } = await setUpApp(postgres);
  await stages(bo, [secret]);
  await bo.types('/drop send');
  await bo.picks('To', 'carl');
  Object.assign(acme.files[0] ?? {}, { refusal: 'access_denied' });
  await bo.submits('Review');
  await bo.sees(`secret.pdf (10 bytes): ${denied}`);
});

test('a guest sees no files', async () => {
  const { gus, exchange } = await setUpApp(postgres);
  await gus.types('/drop files', { in: '#general' });
  await gus.sees("Guests, bots and people from other organisations can't use Dropline here.");
  expect(exchange.calls.filter(({ operation }) => operation === 'get_files')).toEqual([]);
});
