import { expect, test } from 'vitest';
import { topics } from '../../src/features/help/views.ts';
import { subcommands } from '../../src/sandbox/commands.ts';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

test("the help tells guests why they can't use Dropline and who can help", async () => {
  const { gus } = await setUpApp(postgres);
  await gus.types('/drop help', { in: '#general' });
  await gus.sees('Only members of this workspace can use Dropline.');
  await gus.sees('ask a member of this workspace');
  await gus.types('/drop help send');
  await gus.doesNotSee('/drop send');
});

test('the help shows members only the commands that they can use', async () => {
  const { anna, bo } = await setUpApp(postgres);
  await anna.types('/drop help', { in: '#general' });
  await anna.sees('/drop audit [words] View the audit log');
  await bo.types('/drop help', { in: '#general' });
  await bo.sees('/drop send [name] Send files to people outside');
  await bo.doesNotSee(/\/drop (audit|settings|connect|disconnect|request) /);
  await bo.types('/drop help audit');
  await bo.sees('Only admins and auditors can use /drop audit. Ask a workspace admin.');
  await bo.types('/drop help request');
  await bo.sees('File requests are off in this workspace.');
});

test('before connecting, the help lets admins connect and refers members to an admin', async () => {
  const { anna, bo } = await setUpApp(postgres, { connected: false });
  await anna.types('/drop help', { in: '#general' });
  await anna.sees('/drop connect');
  await anna.doesNotSee('/drop send');
  await bo.types('/drop help', { in: '#general' });
  await bo.sees('Ask a workspace admin to type /drop connect.');
});

test('each help topic shows an example; the Recipients button opens its form', async () => {
  const { anna } = await setUpApp(postgres);
  const names = Object.keys(topics).filter((name) => name !== 'request');
  expect(names.length).toBeGreaterThan(10);
  for (const [index, name] of names.entries()) {
    await anna.types(`/drop help ${name}`, { in: '#general' });
    await anna.sees(topics[name]?.example.join(' ') ?? '');
    expect(anna.screen().match(/Example: /g)).toHaveLength(index + 1);
  }
  await anna.clicks('Recipients');
  await anna.sees('Recipients of your next transfer');
});

test('every command has a help topic and the same description as in the sandbox', async () => {
  const { anna } = await setUpApp(postgres);
  await anna.types('/drop help', { in: '#general' });
  await anna.sees('/drop disconnect');
  const listed = [...anna.screen().matchAll(/\/drop (\w+)[^\n]* \w+/g)].map(([, name]) => name);
  const commands = [...new Set([...listed, 'request'])].filter((name) => name !== 'help');
  expect(commands.sort()).toEqual(Object.keys(topics).sort());
  expect(Object.keys(subcommands).sort()).toEqual([...commands, 'help'].sort());
  for (const [name, description] of Object.entries(subcommands)) {
    if (name !== 'help' && name !== 'request')
      expect(anna.screen()).toMatch(new RegExp(`/drop ${name}[^\\n]* ${description}`));
  }
});
