import http from 'node:http';
import type { KnownBlock } from '@slack/types';
import { expect, test } from 'vitest';
import type { State } from '../../../src/sandbox/slack/page/client/state.ts';
import { startBot } from '../slack/bot.ts';
import { clientFor, plain, setUpWorkspace, type TestWorkspace } from '../slack/helper.ts';
import { ok, startPlainBot } from '../slack/plain-bot.ts';

/** The first state that a page receives. */
async function stateOf({ slack }: TestWorkspace, id: string): Promise<State> {
  const { body } = await fetch(`${slack.url}/-/page/${id}/live`);
  let text = '';
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(piece).toString();
    const found = /^data: (.*)\n\n/.exec(text)?.[1];
    if (found !== undefined) return JSON.parse(found) as State;
  }
  throw new Error('no state received');
}

async function perform({ slack }: TestWorkspace, id: string, name: string, args: object | string = {}) {
  const body = typeof args === 'string' ? args : JSON.stringify(args);
  const answer = await fetch(`${slack.url}/-/page/${id}/${name}`, { method: 'POST', body });
  return { status: answer.status, ...((await answer.json()) as { result?: unknown; error?: string }) };
}

test('each person sees their own channels, messages and commands', async () => {
  const setup = await setUpWorkspace();
  const { anna, bo, acme } = setup;
  const gus = acme.addPerson({ name: 'Gus', role: 'guest' });
  acme.addChannel({ name: 'board', kind: 'private', members: [anna] });
  await anna.types('Hello', { in: '#general' });
  await startPlainBot(setup, ok);
  expect(await perform(setup, bo.id, 'open', { destination: '#general' })).toMatchObject({ status: 200 });
  const pageState = await stateOf(setup, bo.id);
  expect(pageState).toMatchObject({
    me: { name: 'Bo', role: 'member' },
    destination: { kind: 'conversation', title: '#general', messages: [{ author: { name: 'Anna' }, replies: 0 }] },
  });
  expect(pageState.channels.map(({ title }) => title)).toEqual(['general']);
  expect(pageState.commands.map(({ command }) => command)).toContain('/drop');
  expect((await stateOf(setup, anna.id)).channels.map(({ title }) => title)).toEqual(['general', 'board']);
  expect((await stateOf(setup, gus.id)).channels).toEqual([]);
});

test('the button that fills in a form appears with the form, not while it is loading', async () => {
  const outside = {
    snapshot: () => ({ facts: [], steps: [], mails: [], simulations: [], next: '', passedMs: 0 }),
    simulate: async () => {},
    subcommands: {},
    fillLabelFor: () => 'Fill in for me',
    fill: async () => {},
  };
  const setup = await setUpWorkspace({ outside });
  const { anna, slack, token } = setup;
  const view = (blocks: KnownBlock[]) => ({
    type: 'modal' as const,
    title: plain('Connect'),
    submit: plain('Next'),
    blocks,
  });
  const loading = view([{ type: 'section', text: plain('One moment…') }]);
  const input = { type: 'plain_text_input' as const, action_id: 'a' };
  const form = view([{ type: 'input', block_id: 'b', label: plain('Name'), element: input }]);
  await startBot(setup, (app) => {
    app.command('/drop', async ({ ack, client, body }) => {
      await ack();
      await client.views.open({ trigger_id: body.trigger_id, view: loading });
    });
  });
  await anna.types('/drop', { in: '#general' });
  await anna.sees('One moment…');
  const { modal } = await stateOf(setup, anna.id);
  expect(modal?.fillLabel).toBeUndefined();
  await clientFor(slack, token).views.update({ view_id: modal?.id ?? '', view: form });
  expect((await stateOf(setup, anna.id)).modal?.fillLabel).toBe('Fill in for me');
});

test('a file is downloaded unchanged, and only by people who can see it', async () => {
  const setup = await setUpWorkspace();
  const { anna, bo, acme, slack } = setup;
  acme.addChannel({ name: 'board', kind: 'private', members: [anna] });
  await anna.opens('#board');
  const { result } = await perform(setup, anna.id, 'files?name=a%2Fb.txt', 'the bytes');
  const { id } = result as { id: string };
  expect(await perform(setup, bo.id, 'say', { text: 'mine', files: [id] })).toMatchObject({ status: 409 });
  expect(await perform(setup, anna.id, 'say', { text: '', files: [id] })).toMatchObject({ status: 200 });
  const own = await fetch(`${slack.url}/-/page/${anna.id}/files/${id}`);
  expect(await own.text()).toBe('the bytes');
  expect(own.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''a%2Fb.txt");
  expect((await fetch(`${slack.url}/-/page/${bo.id}/files/${id}`)).status).toBe(404);
});

test('an impossible action, an unknown action or person and invalid JSON are refused', async () => {
  const setup = await setUpWorkspace();
  const { anna } = setup;
  expect(await perform(setup, anna.id, 'open', { destination: '#nowhere' })).toMatchObject({ status: 409 });
  expect(await perform(setup, anna.id, 'submit')).toEqual({ status: 409, error: 'no form is open' });
  expect(await perform(setup, anna.id, 'constructor')).toMatchObject({ status: 404 });
  expect(await perform(setup, 'U0', 'submit')).toMatchObject({ status: 404 });
  expect(await perform(setup, anna.id, 'say', 'no JSON')).toMatchObject({ status: 409 });
});

test('the page and the people API refuse requests from other hosts, ports and sites', async () => {
  const { slack, anna } = await setUpWorkspace();
  const { port } = new URL(slack.url);
  const statusFor = (method: string, path: string, headers: http.OutgoingHttpHeaders) =>
    new Promise((resolve, reject) => {
      const request = http.request({ port, method, path, headers }, (response) => {
        resolve(response.resume().statusCode);
      });
      request.on('error', reject).end(method === 'POST' ? '[]' : undefined);
    });
  const own = { host: `localhost:${port}`, origin: `http://localhost:${port}`, 'sec-fetch-site': 'same-origin' };
  const refused = [
    { host: `evil.example:${port}` },
    { host: 'localhost:1' },
    { host: '127.0.0.1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
    { origin: 'http://localhost:1' },
  ];
  const requests = [
    ['GET', '/', 200],
    ['GET', `/-/page/${anna.id}/files/x`, 404],
    ['POST', `/-/page/${anna.id}/reload`, 404],
    ['GET', '/-/people', 200],
    ['GET', `/-/people/${anna.id}`, 200],
    ['POST', `/-/people/${anna.id}/reloads`, 200],
    ['GET', '/-/else', 404],
  ] as const;
  for (const [method, path, status] of requests) {
    for (const headers of [own, { host: `127.0.0.1:${port}` }, { host: `[::1]:${port}` }])
      expect(await statusFor(method, path, headers), `${method} ${path}`).toBe(status);
    for (const headers of refused)
      expect(await statusFor(method, path, { ...own, ...headers }), `${path} ${JSON.stringify(headers)}`).toBe(403);
  }
});

test('the page loads no external resource, and only its own assets are served', async () => {
  const { slack } = await setUpWorkspace();
  const page = await fetch(slack.url);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
  expect((await page.text()).match(/(?:src|href)="(?!\/page\/|data:)/g)).toBeNull();
  expect((await fetch(`${slack.url}/page/style.css`)).headers.get('content-type')).toContain('text/css');
  for (const name of ['..%2fserve.js', 'nothing.js', 'state.ts']) {
    expect((await fetch(`${slack.url}/page/${name}`)).status).toBe(404);
  }
});
