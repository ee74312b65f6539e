import { expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { clientFor, plain, section, setUpWorkspace } from './helper.ts';

const shortTimeout = { behaviour: { timeoutMs: 20 } };

test('sees() waits for a text, and its error shows the screen', async () => {
  const setup = await setUpWorkspace();
  await setup.anna.opens('#general');
  setTimeout(() => void setup.bo.types('There it is', { in: '#general' }), 50);
  await setup.anna.sees('There it is');
  setup.slack.behaviour.timeoutMs = 300;
  await expect(setup.anna.sees('Something else')).rejects.toThrow(
    /does not see "Something else".*== #general ==\nBo:\nThere it is/s,
  );
  await expect(setup.anna.doesNotSee('There it is')).rejects.toThrow('still sees');
});

test('people cannot see private channels or conversations of other people', async () => {
  const { acme, anna, bo } = await setUpWorkspace(shortTimeout);
  acme.addChannel({ name: 'private', kind: 'private', members: [anna] });
  await anna.types('Secret', { in: '#private' });
  await anna.types('For you', { in: 'Bo' });
  await expect(bo.opens('#private')).rejects.toThrow('Bo sees no #private');
  expect(bo.messages.map(({ text, destination }) => `${destination}: ${text}`)).toEqual(['Anna: For you']);
});

test('everyone but guests can open public channels, and must join to post', async () => {
  const { acme, bo } = await setUpWorkspace(shortTimeout);
  acme.addChannel({ name: 'open' });
  const gus = acme.addPerson({ name: 'Gus', role: 'guest' });
  await bo.opens('#open');
  await expect(bo.types('Hello')).rejects.toThrow('not a member');
  await bo.types('/join');
  await bo.types('Hello');
  await bo.sees('Bo: Hello');
  await expect(gus.opens('#open')).rejects.toThrow('Gus sees no #open');
});

test('outsiders have no commands, shortcuts or Home tab, but can click buttons', async () => {
  const setup = await setUpWorkspace(shortTimeout);
  const { acme, anna, slack, token } = setup;
  const pressed: string[] = [];
  await startBot(setup, (app) => {
    app.action('press', async ({ ack, body }) => {
      await ack();
      pressed.push(body.user.team_id ?? '');
    });
  });
  const sten = acme.addPerson({ name: 'Sten', role: 'stranger' });
  const partners = acme.addChannel({ name: 'partners', shared: true, members: [anna, sten, 'app'] });
  const elements = [{ type: 'button' as const, action_id: 'press', text: plain('Press') }];
  await clientFor(slack, token).chat.postMessage({
    channel: partners.id,
    text: 'x',
    blocks: [{ type: 'actions', elements }],
  });
  await sten.types('/drop', { in: '#partners' });
  await sten.sees('/drop is not a valid command.');
  await expect(sten.usesShortcut('Send securely', { on: 'Press' })).rejects.toThrow('Offered: nothing');
  await expect(sten.opens('Dropline')).rejects.toThrow('does not have Dropline');
  await expect(sten.opens('#general')).rejects.toThrow('Sten sees no #general');
  expect(() => acme.channel('general').add(sten)).toThrow('not shared');
  await sten.clicks('Press');
  expect(pressed).toHaveLength(1);
  expect(pressed).not.toContain(acme.id);
});

test('a bot user can only post messages', async () => {
  const setup = await setUpWorkspace();
  const robot = setup.acme.addPerson({ name: 'Robot', role: 'bot' });
  setup.acme.channel('general').add(robot);
  await robot.types('/drop', { in: '#general' });
  await setup.anna.opens('#general');
  await setup.anna.sees('Robot: /drop');
  expect(setup.slack.deliveries).toEqual([]);
  expect(setup.acme.channel('general').messages[0]).toMatchObject({ botId: expect.stringMatching(/^B/) });
  await expect(robot.clicks('All')).rejects.toThrow('Robot is a bot');
});

test('people can only click, fill in and submit what is on the screen', async () => {
  const setup = await setUpWorkspace(shortTimeout);
  const { anna, slack, token, acme } = setup;
  const elements = [{ type: 'button' as const, action_id: 'press', text: plain('Press') }];
  await clientFor(slack, token).chat.postMessage({
    channel: acme.channel('general').id,
    text: 'x',
    blocks: [{ type: 'actions', elements }],
  });
  await anna.opens('Bo');
  await expect(anna.clicks('Press')).rejects.toThrow('There is no');
  await expect(anna.fills('Message', 'x')).rejects.toThrow('There is no field "Message"');
  await expect(anna.submits()).rejects.toThrow('nothing to submit');
  await expect(anna.closes()).rejects.toThrow('No form is open');
  await expect(anna.confirms()).rejects.toThrow('No confirmation is open');
  await expect(anna.downloads('a.txt')).rejects.toThrow('Offered: nothing');
});

test('an open form hides the conversation behind it', async () => {
  const setup = await setUpWorkspace(shortTimeout);
  await startBot(setup, (app) => {
    app.command('/drop', async ({ client, body, ack }) => {
      await client.views.open({
        trigger_id: body.trigger_id,
        view: { type: 'modal', title: plain('Front'), close: plain('Never mind'), blocks: [section('In front')] },
      });
      await ack();
    });
  });
  await setup.anna.types('Behind', { in: '#general' });
  await setup.anna.types('/drop');
  await setup.anna.sees('In front');
  await setup.anna.doesNotSee('Behind');
  await setup.anna.clicks('Never mind');
  await setup.anna.sees('Behind');
});

test('a person with an open form must close it before acting outside it', async () => {
  const setup = await setUpWorkspace(shortTimeout);
  await startBot(setup, (app) => {
    app.command('/drop', async ({ client, body, ack }) => {
      const view = { type: 'modal' as const, title: plain('T'), blocks: [section('x')] };
      await client.views.open({ trigger_id: body.trigger_id, view });
      await ack();
    });
  });
  await setup.anna.types('/drop', { in: '#general' });
  await expect(setup.anna.types('Hello')).rejects.toThrow('A form is open');
  await expect(setup.anna.opens('Bo')).rejects.toThrow('A form is open');
  await expect(setup.anna.usesShortcut('New transfer')).rejects.toThrow('A form is open');
  await setup.anna.closes();
  await setup.anna.types('Hello');
});

test('a person who only views a channel cannot click or type commands in it', async () => {
  const setup = await setUpWorkspace();
  const { acme, bo, slack, token } = setup;
  const destination = acme.addChannel({ name: 'place', members: ['app'] });
  const elements = [{ type: 'button' as const, action_id: 'press', text: plain('Press') }];
  await clientFor(slack, token).chat.postMessage({
    channel: destination.id,
    text: 'x',
    blocks: [{ type: 'actions', elements }],
  });
  await bo.opens('#place');
  await expect(bo.clicks('Press')).rejects.toThrow('Bo is not a member of #place');
  await expect(bo.types('/drop')).rejects.toThrow('Bo is not a member of #place');
});

test("a deactivated person can't act", async () => {
  const { acme } = await setUpWorkspace();
  const gone = acme.addPerson({ name: 'Gone', deactivated: true });
  await expect(gone.opens('#general')).rejects.toThrow('the account of Gone is deactivated');
});

test('app_home_opened is sent once while a person stays in the conversation', async () => {
  const setup = await setUpWorkspace();
  await startBot(setup, (app) => app.event('app_home_opened', async () => {}));
  await setup.anna.types('One', { in: 'Dropline' });
  await setup.anna.types('Two', { in: 'Dropline' });
  await setup.slack.untilIdle();
  expect(setup.slack.deliveries.filter(({ event }) => event === 'app_home_opened')).toHaveLength(1);
});

test('people of one workspace cannot see another workspace', async () => {
  const { slack, anna } = await setUpWorkspace(shortTimeout);
  const other = slack.addWorkspace({ name: 'Other' });
  const olga = other.addPerson({ name: 'Olga', role: 'owner' });
  other.addChannel({ name: 'general', members: [olga] });
  await anna.types('Ours', { in: '#general' });
  await olga.opens('#general');
  await olga.doesNotSee('Ours');
  await expect(olga.opens('Anna')).rejects.toThrow('knows no Anna');
  expect(slack.workspaces().map(({ name }) => name)).toEqual(['Acme', 'Other']);
});

test('the app can be invited to a channel and removed with commands', async () => {
  const setup = await setUpWorkspace();
  const { acme, anna, slack, token } = setup;
  const destination = acme.addChannel({ name: 'project', kind: 'private', members: [anna] });
  const client = clientFor(slack, token);
  const post = () => client.chat.postMessage({ channel: destination.id, text: 'Here I am' });
  await expect(post()).rejects.toMatchObject({ data: { error: 'channel_not_found' } });
  await anna.types('/invite @dropline', { in: '#project' });
  await post();
  await anna.sees('Here I am');
  await anna.types('/remove @dropline');
  await expect(post()).rejects.toMatchObject({ data: { error: 'channel_not_found' } });
});

test('the screen is available as data, and the client state as JSON', async () => {
  const setup = await setUpWorkspace();
  const { anna, slack, token, acme } = setup;
  const channel = acme.channel('general').id;
  const elements = [{ type: 'button' as const, action_id: 'press', text: plain('Press') }];
  const { ts } = await clientFor(slack, token).chat.postMessage({
    channel,
    text: 'x',
    blocks: [{ type: 'actions', block_id: 'b', elements }],
  });
  await anna.opens('#general');
  expect(anna.readScreen().lines.at(-1)).toMatchObject({
    text: '[Press]',
    controls: [
      { kind: 'button', label: 'Press', ref: { surface: { channelId: channel, ts }, blockId: 'b', actionId: 'press' } },
    ],
  });
  expect(JSON.parse(JSON.stringify(anna.client))).toMatchObject({
    destination: { kind: 'channel', channelId: channel },
    modals: [],
  });
});
