import { createServer } from 'node:http';
import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { createPeople } from '../../src/slack/people.ts';
import { serve } from '../helpers/serve.ts';
import { startSlackApp } from '../helpers/slack-app.ts';

test('all members of a channel are read, over several pages', async () => {
  const { slack, acme, botToken } = await startSlackApp(undefined);
  const people = Array.from({ length: 1_100 }, (_, number) => acme.addPerson({ name: `Person ${number}` }));
  const { id } = acme.addChannel({ name: 'many', kind: 'private', members: [...people, 'app'] });
  const { membersOf } = createPeople(async () => new WebClient(botToken, { slackApiUrl: slack.apiUrl }));
  const members = await membersOf(acme.id, id);
  expect(members?.size).toBe(1_101);
  expect([...(members ?? [])]).toEqual(expect.arrayContaining(people.map((person) => person.id)));
  expect(slack.calls.filter(({ method }) => method === 'conversations.members')).toHaveLength(2);
});

test('membersOf returns no one for a shared, archived or unknown channel', async () => {
  const { slack, acme, botToken } = await startSlackApp(undefined);
  const anna = acme.person('Anna');
  const { membersOf } = createPeople(async () => new WebClient(botToken, { slackApiUrl: slack.apiUrl }), 0);
  const channel = acme.addChannel({ name: 'approvals', kind: 'private', members: [anna, 'app'] });
  expect(await membersOf(acme.id, channel.id)).toContain(anna.id);
  channel.setKind('public');
  expect(await membersOf(acme.id, channel.id)).toBeUndefined();
  channel.setKind('private');
  channel.share();
  expect(await membersOf(acme.id, channel.id)).toEqual(new Set());
  channel.unshare();
  channel.archive();
  expect(await membersOf(acme.id, channel.id)).toEqual(new Set());
  const hidden = acme.addChannel({ name: 'hidden', kind: 'private', members: [anna] });
  expect(await membersOf(acme.id, hidden.id)).toEqual(new Set());
  expect(await membersOf(acme.id, 'C0UNKNOWN00')).toEqual(new Set());
});

test('who is in a channel is cached, and asked again after a minute at most', async () => {
  const { slack, acme, botToken } = await startSlackApp(undefined);
  const anna = acme.person('Anna');
  const channel = acme.addChannel({ name: 'legal', kind: 'private', members: [anna, 'app'] });
  const asked = () => slack.calls.filter(({ method }) => method === 'conversations.members').length;
  const clientOf = async () => new WebClient(botToken, { slackApiUrl: slack.apiUrl });
  const cached = createPeople(clientOf).membersOf;
  await Promise.all([cached(acme.id, channel.id), cached(acme.id, channel.id)]);
  expect(await cached(acme.id, channel.id)).toContain(anna.id);
  expect(asked()).toBe(1);
  const { membersOf } = createPeople(clientOf, 0);
  expect(await membersOf(acme.id, channel.id)).toContain(anna.id);
  channel.remove(anna);
  expect(await membersOf(acme.id, channel.id)).not.toContain(anna.id);
});

test('a channel counts as public only if Slack says so', async () => {
  const server = createServer((request, response) => {
    const answer = request.url?.includes('conversations.info') ? { channel: { id: 'C1' } } : { members: ['U1'] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, ...answer }));
  });
  const url = await serve(server);
  const { membersOf } = createPeople(async () => new WebClient('xoxb-1', { slackApiUrl: `${url}/api/` }));
  expect(await membersOf('T1', 'C1')).toEqual(new Set(['U1']));
});
