import { createServer } from 'node:http';
import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { createPeople } from '../../src/slack/people.ts';
import { serve } from '../helpers/serve.ts';

/** What the workspace T1 takes somebody for of whom Slack says this. */
async function roleBy(user: object) {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, user }));
  });
  const slackApiUrl = `${await serve(server)}/api/`;
  const { roleOf } = createPeople(async () => new WebClient('xoxb-1', { slackApiUrl }));
  return roleOf({ workspace: 'T1', person: 'U1' });
}

const grid = (...teams: string[]) => ({ id: 'W1', enterprise_id: 'E1', teams });

test.each([
  ['whose home is here', { team_id: 'T1' }, 'member'],
  ['whose home is here, and who is a member elsewhere', { team_id: 'T1', enterprise_user: grid('T1', 'T2') }, 'member'],
  ['who is a member here with a home elsewhere', { team_id: 'T2', enterprise_user: grid('T2', 'T1') }, 'member'],
  [
    'who administers here with a home elsewhere',
    { team_id: 'T2', is_admin: true, enterprise_user: grid('T1') },
    'admin',
  ],
  ['of whom Slack names no home, but this workspace', { enterprise_user: grid('T1') }, 'member'],
  ['of the organisation, but not of this workspace', { team_id: 'T2', enterprise_user: grid('T2') }, 'none'],
  ['of whom Slack names no home, and other workspaces', { enterprise_user: grid('T2', 'T3') }, 'none'],
  ['of another workspace', { team_id: 'T2' }, 'none'],
  ['who is a guest here', { team_id: 'T2', is_restricted: true, enterprise_user: grid('T1') }, 'none'],
  ['whom Slack calls a stranger', { team_id: 'T2', is_stranger: true, enterprise_user: grid('T1') }, 'none'],
])('somebody %s', async (_, user, role) => {
  expect(await roleBy(user)).toBe(role);
});
