import { WebClient } from '@slack/web-api';
import { expect, onTestFinished, test } from 'vitest';
import { createHostPolicy } from '../../src/exchange/host-policy.ts';
import { outsideOf } from '../../src/sandbox/outside.ts';
import { startScannerServer } from '../../src/sandbox/scanner.ts';
import { legalUser, login, type Service, startService } from '../../src/sandbox/service.ts';
import { botVariables, type SandboxWorkspace, startWorkspace } from '../../src/sandbox/workspace.ts';

/** The side panel of a workspace in which the app is installed, without a bot. */
async function startPanel() {
  const service: Service = await startService(0);
  onTestFinished(() => service.server.close());
  const scanner = await startScannerServer();
  onTestFinished(() => scanner.close());
  let acme: SandboxWorkspace | undefined;
  const passed: number[] = [];
  const passHours = async (hours: number) => void passed.push(hours);
  const outside = outsideOf({ service, scanner, acme: () => acme, passHours }, { passedMs: 0 });
  acme = await startWorkspace(0, outside);
  const { slack, workspace, anna } = acme;
  onTestFinished(() => slack.close());
  const { botToken } = workspace.install({ by: anna });
  const inbox = workspace.addChannel({ name: 'inbox', members: [anna, workspace.person('Gus'), 'app'] });
  const client = new WebClient(botToken, { slackApiUrl: `${slack.url}/api/` });
  const posts = (text: string) => client.chat.postMessage({ channel: inbox.id, text });
  const ticks = () => outside.snapshot().steps.map(({ isDone }) => isDone);
  return { service, scanner, slack, outside, workspace, passed, client, inbox, posts, ticks };
}

test("each step of the sandbox's checklist is ticked when it is done, not before", async () => {
  const { service, workspace, posts, ticks } = await startPanel();
  const { account } = service;
  expect(ticks()).toEqual([false, false, false, false, false, false]);
  await posts('New files will be posted here.');
  expect(ticks()).toEqual([true, false, false, false, false, false]);
  const taken: { name: string; at: number }[] = [];
  const page = { receiver: { email: 'ada@partner.example' }, url: 'x', taken };
  const transfer = { id: '1', createdAt: 0, expiresAt: 0, receivers: [], files: [], ttl: 7, message: '' };
  account.drops.push({ ...transfer, type: 'downloadfiles', pages: [page] });
  expect(ticks()).toEqual([true, true, false, false, false, false]);
  taken.push({ name: 'plan.pdf', at: 0 });
  expect(ticks()).toEqual([true, true, true, false, false, false]);
  await posts('1 file from linus@partner.example: minutes-120000.txt');
  expect(ticks()).toEqual([true, true, true, true, false, false]);
  account.drops.push({ ...transfer, type: 'uploadfiles', pages: [] });
  expect(ticks()).toEqual([true, true, true, true, true, false]);
  await workspace.person('Gus').types('/drop send', { in: '#inbox' });
  expect(ticks()).toEqual([true, true, true, true, true, true]);
  account.drops.length = 0;
  expect(ticks()).toEqual([true, true, true, true, true, true]);
});

test('the Uninstall button removes the app and then disappears', async () => {
  const { outside, workspace } = await startPanel();
  const names = () => outside.snapshot().simulations.map(({ name }) => name);
  expect(names()).toContain('Uninstall Dropline');
  await outside.simulate('Uninstall Dropline');
  expect(workspace.installation).toBeUndefined();
  expect(names()).not.toContain('Uninstall Dropline');
  await expect(async () => outside.simulate('Something else')).rejects.toThrow('unknown action');
});

test('each simulation changes what it says, and its opposite undoes it', async () => {
  const { service, scanner, outside, workspace, passed, client, inbox } = await startPanel();
  const { server, account } = service;
  const isUp = () =>
    fetch(server.url).then(
      () => true,
      () => false,
    );
  const members = async () => (await client.conversations.members({ channel: inbox.id })).members;
  const isGuest = async (user: string) => (await client.users.info({ user })).user?.is_restricted;
  const { id: gus } = workspace.person('Gus');
  const cases: [name: string, read: () => unknown, changed: unknown, opposite: string, initial: unknown][] = [
    ['Service goes down', isUp, false, 'Service is back', true],
    ['Service gets slow', () => server.behaviour.delayMs > 0, true, 'Service is fast again', false],
    ['API key is refused', () => account.apiKey === login.apiKey, false, 'API key works again', true],
    ['Next file is infected', () => scanner.behaviour.reportsNext, true, 'Next file is clean', false],
    ['Scanner stops', () => scanner.behaviour.mode, 'closes', 'Scanner works again', 'works'],
    ['Gus leaves #inbox', async () => (await members())?.includes(gus), false, 'Gus joins #inbox', true],
    ['Gus becomes a member', () => isGuest(gus), false, 'Gus becomes a guest', true],
  ];
  const names = () => outside.snapshot().simulations.map(({ name }) => name);
  for (const [name, read, changed, opposite, initial] of cases) {
    expect([name, await read(), names().includes(opposite)]).toEqual([name, initial, false]);
    await outside.simulate(name);
    expect([name, await read(), names().includes(name)]).toEqual([name, changed, false]);
    await outside.simulate(opposite);
    expect([name, await read(), names().includes(name)]).toEqual([name, initial, true]);
  }
  for (const name of ['An hour passes', 'A day passes', 'Linus sends a file', 'Vera sends Legal a file'])
    await outside.simulate(name);
  expect(passed).toEqual([1, 24]);
  expect(account.inbox).toHaveLength(2);
  expect(server.account(legalUser).inbox).toHaveLength(1);
});

test("the sandbox's bot can connect its service, and no other port of this machine", async () => {
  const { service, slack } = await startPanel();
  const { EXCHANGE_HOSTS = '' } = botVariables(slack, 3000, 'data', service.server.url);
  const policy = createHostPolicy(EXCHANGE_HOSTS.split(','));
  expect(policy.isListed(new URL(service.server.url))).toBe(true);
  expect(policy.isListed(new URL(slack.url))).toBe(false);
});
