import { expect, test } from 'vitest';
import { inMemory } from '../../src/sandbox/slack/state/files.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { confirms, reviews } from '../helpers/send-steps.ts';

const postgres = startTestPostgres();

const reviewed = { name: 'notes.txt', data: 'harmless text', snippet: true } as const;
const secret = 'SECRET ledger';
const swapped = 'was changed since you confirmed. Nothing was sent. Check the file, then try again.';

/** Replaces the content of a file. Slack's times are whole seconds: without `edited`, none of them changes. */
function swap({ acme }: Pick<AppSetup, 'acme'>, edited?: number): void {
  const file = acme.files.find(({ name }) => name === reviewed.name);
  Object.assign(file ?? {}, { data: inMemory(secret), edited });
}

test.each([
  ['a snippet', reviewed, undefined],
  ['another file', { name: reviewed.name, data: reviewed.data }, 1],
])('%s that is swapped while the file before it is uploaded is not sent', async (_, file, edited) => {
  const setup = await setUpApp(postgres);
  const { bo, account, exchange } = setup;
  await reviews(bo, { attached: [{ name: 'a.pdf', data: 'the plan' }, file] });
  const delay = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await confirms(bo, 2);
  await delay.triggered;
  swap(setup, edited);
  await delay.release();
  await bo.sees(`“notes.txt” ${swapped}`);
  expect(account).toMatchObject({ drops: [], uploads: [], receivers: [] });
});
