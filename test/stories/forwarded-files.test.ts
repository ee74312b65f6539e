import { expect, test } from 'vitest';
import { readDraft } from '../../src/features/staging/repository.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test('forwarded files are staged and offered once, next to own files', async () => {
  const { anna, bo, acme, slack, services, untilIdle } = await setUpApp(postgres);
  acme.addChannel({ name: 'plans', members: [anna, bo, 'app'] });
  const readStaged = async () => (await readDraft(services, { workspace: acme.id, person: bo.id })).staged;
  await anna.shares([{ name: 'secret.pdf', data: 'the secret' }], { in: '#general', text: 'our secret' });
  await anna.shares([{ name: 'plan.pdf', data: 'the plan' }], { in: '#plans', text: 'our plan' });
  await anna.shares(
    [
      { name: 'map.pdf', data: 'the map' },
      { name: 'sheet', externalUrl: 'https://docs.example.com/sheet' },
    ],
    { text: 'our map' },
  );
  // Whether forwarding also shares the files is not documented.
  for (const forwardShares of [false, true]) {
    slack.behaviour.forwardShares = forwardShares;
    await bo.opens('#plans');
    await bo.forwards(['our plan', 'our map', 'our plan'], {
      to: 'Dropline',
      text: `please send, ${forwardShares}`,
      files: [{ name: `own-${forwardShares}.txt`, data: 'mine' }],
    });
    await bo.sees("“sheet” is a link to another site and can't be sent.");
    await bo.sees(`Send ${forwardShares ? 4 : 3} files…`);
    await untilIdle();
    expect(await readStaged()).toHaveLength(forwardShares ? 4 : 3);
    await bo.usesShortcut('Send securely', { on: `please send, ${forwardShares}` });
    await bo.sees(`own-${forwardShares}.txt (4 bytes), plan.pdf (8 bytes), map.pdf (7 bytes)`);
    await bo.closes();
  }
  await bo.doesNotSee('Type help');

  slack.behaviour.forwardShares = false;
  await bo.opens('#general');
  await bo.forwards(['our secret'], { to: 'Dropline' });
  await bo.sees("“secret.pdf” was deleted, or is in a conversation I'm not in. Send it to me in a direct message.");
  await untilIdle();
  expect(await readStaged()).toHaveLength(4);
});
