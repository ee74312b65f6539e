import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { createLog } from '../../src/lib/log.ts';
import { createSignIn } from '../../src/slack/sign-in.ts';
import { serve } from '../helpers/serve.ts';

const log = createLog('silent');
const oneMinuteFromNow = () => Math.floor(Date.now() / 1000) + 60;
const validClaims = {
  iss: 'https://slack.com',
  aud: '1.2',
  nonce: 'n1',
  'https://slack.com/team_id': 'T1',
  'https://slack.com/user_id': 'U1',
};

/** The person who signed in, given this answer from Slack. */
async function identify(answer: object) {
  const server = createServer((_, response) => void response.end(JSON.stringify(answer)));
  const apiUrl = `${await serve(server)}/api/`;
  const signIn = createSignIn({ clientId: '1.2', clientSecret: 's', apiUrl, authorizeUrl: undefined, log });
  return signIn.identify({ code: 'c1', nonce: 'n1', redirectUri: 'https://d.example/connect/signed-in' });
}

function answerWith(claims: object) {
  const parts = [{ alg: 'RS256' }, { exp: oneMinuteFromNow(), ...validClaims, ...claims }];
  const token = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return { ok: true, access_token: 'xoxp-1', token_type: 'Bearer', id_token: `${token}.signature` };
}

test('an id token with the right issuer, app, expiry and nonce identifies the person', async () => {
  expect(await identify(answerWith({}))).toEqual({ workspace: 'T1', person: 'U1' });
});

test.each<[string, object]>([
  ['of another issuer', { iss: 'https://slack.example' }],
  ['for another app', { aud: '3.4' }],
  ['for several apps', { aud: ['1.2', '3.4'] }],
  ['that has expired', { exp: oneMinuteFromNow() - 600 }],
  ['without an expiry', { exp: null }],
  ['for another nonce', { nonce: 'n2' }],
  ['without a nonce', { nonce: undefined }],
  ['without a workspace', { 'https://slack.com/team_id': undefined }],
  ['without a person', { 'https://slack.com/user_id': undefined }],
])('an id token %s identifies no person', async (_, claims) => {
  expect(await identify(answerWith(claims))).toBeUndefined();
});

test.each<[string, object]>([
  ['a refusal', { ok: false, error: 'invalid_code' }],
  ['no token', { ok: true }],
  ['an invalid token', { ok: true, id_token: 'a.b.c' }],
])('a sign-in answer with %s identifies no person', async (_, answer) => {
  expect(await identify(answer)).toBeUndefined();
});
