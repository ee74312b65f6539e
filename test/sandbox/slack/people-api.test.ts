import { expect, test } from 'vitest';
import { plain, setUpWorkspace, type TestWorkspace } from './helper.ts';
import { startPlainBot } from './plain-bot.ts';

async function perform({ slack }: TestWorkspace, id: string, name: string, ...args: unknown[]) {
  const answer = await fetch(`${slack.url}/-/people/${id}/${name}`, { method: 'POST', body: JSON.stringify(args) });
  return { status: answer.status, ...((await answer.json()) as { screen: string; error?: string }) };
}

test('people can be listed, viewed and controlled over HTTP', async () => {
  const setup = await setUpWorkspace();
  await startPlainBot(setup, (_, response) => {
    const blocks = [{ type: 'actions', elements: [{ type: 'button', action_id: 'a', text: plain('Press') }] }];
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ text: 'Hello', blocks }));
  });
  const people = await (await fetch(`${setup.slack.url}/-/people`)).json();
  expect(people).toEqual([
    { id: setup.anna.id, name: 'Anna', role: 'owner', workspace: 'Acme', destinations: ['#general'] },
    { id: setup.bo.id, name: 'Bo', role: 'member', workspace: 'Acme', destinations: ['#general'] },
  ]);
  expect(await perform(setup, setup.anna.id, 'types', '/drop', { in: '#general' })).toMatchObject({ status: 200 });
  expect(await perform(setup, setup.anna.id, 'sees', '[Press]')).toMatchObject({ status: 200 });
  const answer = await (await fetch(`${setup.slack.url}/-/people/${setup.anna.id}`)).json();
  expect(answer).toMatchObject({ screen: setup.anna.screen(), client: { destination: { kind: 'channel' } } });
});

test('an impossible action gets 409 and the screen, an unknown action or person 404', async () => {
  const setup = await setUpWorkspace({ behaviour: { timeoutMs: 20 } });
  expect(await perform(setup, setup.anna.id, 'clicks', 'Nothing')).toMatchObject({
    status: 409,
    error: expect.stringContaining('There is no'),
    screen: '== nowhere ==',
  });
  expect(await perform(setup, setup.anna.id, 'flies')).toMatchObject({ status: 404 });
  expect(await perform(setup, setup.anna.id, 'constructor')).toMatchObject({ status: 404 });
  expect(await perform(setup, 'U0', 'closes')).toMatchObject({ status: 404 });
});

test('files are sent to the people API as base64', async () => {
  const setup = await setUpWorkspace();
  const file = { name: 'a.bin', base64: Buffer.from([0, 255]).toString('base64') };
  expect(await perform(setup, setup.anna.id, 'shares', [file], { in: '#general' })).toMatchObject({ status: 200 });
  expect(await (await setup.anna.downloads('a.bin')).read()).toEqual(Buffer.from([0, 255]));
});
