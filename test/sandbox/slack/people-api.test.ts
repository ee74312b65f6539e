import { expect, test } from 'vitest';
import { plain, type Stage, startStage } from './helper.ts';
import { startPlainBot } from './plain-bot.ts';

async function perform({ slack }: Stage, id: string, name: string, ...args: unknown[]) {
  const answer = await fetch(`${slack.url}/-/people/${id}/${name}`, { method: 'POST', body: JSON.stringify(args) });
  return { status: answer.status, ...((await answer.json()) as { screen: string; error?: string }) };
}

test('people can be listed, viewed and controlled over HTTP', async () => {
  const stage = await startStage();
  await startPlainBot(stage, (_, response) => {
    const blocks = [{ type: 'actions', elements: [{ type: 'button', action_id: 'a', text: plain('Press') }] }];
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ text: 'Hello', blocks }));
  });
  const people = await (await fetch(`${stage.slack.url}/-/people`)).json();
  expect(people).toEqual([
    { id: stage.anna.id, name: 'Anna', role: 'owner', workspace: 'Acme', destinations: ['#general'] },
    { id: stage.bo.id, name: 'Bo', role: 'member', workspace: 'Acme', destinations: ['#general'] },
  ]);
  expect(await perform(stage, stage.anna.id, 'types', '/drop', { in: '#general' })).toMatchObject({ status: 200 });
  expect(await perform(stage, stage.anna.id, 'sees', '[Press]')).toMatchObject({ status: 200 });
  const shown = await (await fetch(`${stage.slack.url}/-/people/${stage.anna.id}`)).json();
  expect(shown).toMatchObject({ screen: stage.anna.screen(), client: { destination: { kind: 'channel' } } });
});

test('an impossible action is refused with an error and the screen', async () => {
  const stage = await startStage({ behaviour: { timeoutMs: 20 } });
  expect(await perform(stage, stage.anna.id, 'clicks', 'Nothing')).toMatchObject({
    status: 409,
    error: expect.stringContaining('There is no'),
    screen: '== nowhere ==',
  });
  expect(await perform(stage, stage.anna.id, 'flies')).toMatchObject({ status: 404 });
  expect(await perform(stage, stage.anna.id, 'constructor')).toMatchObject({ status: 404 });
  expect(await perform(stage, 'U0', 'closes')).toMatchObject({ status: 404 });
});

test('files are sent as base64', async () => {
  const stage = await startStage();
  const file = { name: 'a.bin', base64: Buffer.from([0, 255]).toString('base64') };
  expect(await perform(stage, stage.anna.id, 'shares', [file], { in: '#general' })).toMatchObject({ status: 200 });
  expect(await (await stage.anna.downloads('a.bin')).read()).toEqual(Buffer.from([0, 255]));
});
