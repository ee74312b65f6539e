import { createServer } from 'node:http';
import { WebClient } from '@slack/web-api';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createPeople } from '../../src/slack/people.ts';
import { serve } from '../helpers/serve.ts';

/** The role in workspace T1 of a person with this Slack profile. */
async function roleForProfile(user: object) {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, user }));
  });
  const slackApiUrl = `${await serve(server)}/api/`;
  const { roleOf } = createPeople(async () => new WebClient('xoxb-1', { slackApiUrl }));
  return roleOf({ workspace: 'T1', person: 'U1' });
}

const grid = (...teams: string[]) => ({ id: 'W1', enterprise_id: 'E1', teams });

test.each([
  ['whose home workspace is this one is a member', { team_id: 'T1' }, 'member'],
  [
    'of this home workspace who is also in another is a member',
    { team_id: 'T1', enterprise_user: grid('T1', 'T2') },
    'member',
  ],
  [
    'of another home workspace who is also in this one is a member',
    { team_id: 'T2', enterprise_user: grid('T2', 'T1') },
    'member',
  ],
  [
    'of another home workspace with admin rights in this one is an admin',
    { team_id: 'T2', is_admin: true, enterprise_user: grid('T1') },
    'admin',
  ],
  [
    'with the role of an admin in the organisation is an admin',
    { team_id: 'T1', enterprise_user: { ...grid('T1'), is_admin: true } },
    'admin',
  ],
  [
    'with the role of an owner in the organisation is an admin',
    { team_id: 'T2', enterprise_user: { ...grid('T2', 'T1'), is_owner: true } },
    'admin',
  ],
  [
    'who is an admin of the organisation but not in this workspace has no role',
    { team_id: 'T2', enterprise_user: { ...grid('T2'), is_admin: true } },
    'none',
  ],
  ['without a home workspace who is in this one is a member', { enterprise_user: grid('T1') }, 'member'],
  ['of the organisation but not of this workspace has no role', { team_id: 'T2', enterprise_user: grid('T2') }, 'none'],
  [
    'without a home workspace who is only in other workspaces has no role',
    { enterprise_user: grid('T2', 'T3') },
    'none',
  ],
  ['of another workspace has no role', { team_id: 'T2' }, 'none'],
  ['who is a guest here has no role', { team_id: 'T2', is_restricted: true, enterprise_user: grid('T1') }, 'none'],
  [
    'marked as a stranger by Slack has no role',
    { team_id: 'T2', is_stranger: true, enterprise_user: grid('T1') },
    'none',
  ],
])('a person %s', async (_, user, role) => {
  expect(await roleForProfile(user)).toBe(role);
});

test('the role of a person is cached for at most a minute, even if Slack fails', async () => {
  const answers: object[] = [
    { ok: true, user: { team_id: 'T1', is_admin: true } },
    { ok: false, error: 'internal_error' },
    { ok: true, user: { team_id: 'T1' } },
  ];
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers.shift()));
  });
  const slackApiUrl = `${await serve(server)}/api/`;
  const { roleOf } = createPeople(async () => new WebClient('xoxb-1', { slackApiUrl }));
  const role = () => roleOf({ workspace: 'T1', person: 'U1' });
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  expect(await role()).toBe('admin');
  vi.setSystemTime(Date.now() + 59_000);
  expect(await role()).toBe('admin');
  vi.setSystemTime(Date.now() + 1_000);
  await expect(role()).rejects.toThrow('internal_error');
  expect(await role()).toBe('member');
});
