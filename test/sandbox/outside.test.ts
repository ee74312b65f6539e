import { WebClient } from '@slack/web-api';
import { expect, onTestFinished, test } from 'vitest';
import { createHostPolicy } from '../../src/exchange/host-policy.ts';
import { outsideOf } from '../../src/sandbox/outside.ts';
import { type Service, startService } from '../../src/sandbox/service.ts';
import { botVariables, type SandboxWorkspace, startWorkspace } from '../../src/sandbox/workspace.ts';

/** The side panel of a workspace in which the app is installed, without a bot. */
async function startPanel() {
  const service: Service = await startService(0);
  onTestFinished(() => service.server.close());
  let acme: SandboxWorkspace | undefined;
  const outside = outsideOf(service, () => acme);
  acme = await startWorkspace(0, outside);
  const { slack, workspace, anna } = acme;
  onTestFinished(() => slack.close());
  const { botToken } = workspace.install({ by: anna });
  const inbox = workspace.addChannel({ name: 'inbox', members: [anna, workspace.person('Gus'), 'app'] });
  const client = new WebClient(botToken, { slackApiUrl: `${slack.url}/api/` });
  const posts = (text: string) => client.chat.postMessage({ channel: inbox.id, text });
  const ticks = () => outside.snapshot().steps.map(({ isDone }) => isDone);
  return { service, slack, outside, workspace, posts, ticks };
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

test("the sandbox's bot can connect its service, and no other port of this machine", async () => {
  const { service, slack } = await startPanel();
  const { EXCHANGE_HOSTS = '' } = botVariables(slack, 3000, 'data', service.server.url);
  const policy = createHostPolicy(EXCHANGE_HOSTS.split(','));
  expect(policy.isListed(new URL(service.server.url))).toBe(true);
  expect(policy.isListed(new URL(slack.url))).toBe(false);
});
