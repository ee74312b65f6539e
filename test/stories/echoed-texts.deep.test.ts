import { test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

/** Slack returns our texts escaped, with `&amp;`, `&lt;` and `&gt;`. */

const postgres = startTestPostgres();

const fileName = 'R&D <plan>.txt';

test('a file deleted from Slack is listed with its unescaped name', async () => {
  const { bo } = await setUpApp(postgres);
  await bo.shares([{ name: fileName, data: 'the plan' }], { in: 'Dropline' });
  await bo.sees('Ready to send');
  await bo.types('/drop send');
  await bo.picks('To', 'carl');
  await bo.deletesFile(fileName);
  await bo.submits('Review');
  await bo.sees(`No longer in Slack: ${fileName} (8 bytes).`);
});
