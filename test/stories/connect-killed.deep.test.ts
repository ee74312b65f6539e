import { test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { killHard, startBotFor } from '../helpers/bot-process.ts';
import { runJobsNow } from '../helpers/contacts.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { usePrograms } from '../helpers/program.ts';

const postgres = startTestPostgres();
const programs = usePrograms();

test('after kill -9 while connecting, another process connects the workspace', async () => {
  const setup = await setUpApp(postgres, { hasExternalBot: true, connected: false });
  const { anna, exchange, services } = setup;
  const first = await startBotFor(programs, setup);
  await anna.types('/drop connect', { in: '#general' });
  await anna.fills('Service URL', exchange.url);
  await anna.fills('Account email', user);
  await anna.fills('API key', apiKey);
  await anna.picks('Expiry is counted in', 'days');
  const slow = exchange.addFault({ operation: 'index', kind: 'delay' });
  const submitted = anna.submits('Test and connect');
  await slow.triggered;
  await killHard(first);
  await submitted.catch(() => {});
  await startBotFor(programs, setup);
  await slow.release();
  await runJobsNow(services);
  await anna.closes();
  await anna.opens('Dropline');
  await anna.sees(`Connected to the file service as ${user}.`);
  await anna.types('/drop contacts', { in: '#general' });
  await anna.sees('carl@example.org');
}, 120_000);
