import { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Log } from '../lib/log.ts';
import { clientOptions } from './clients.ts';
import { platformErrorOf } from './platform-errors.ts';

export interface SignInOptions {
  clientId: string;
  clientSecret: string;
  apiUrl: string | undefined;
  /** Slack's page to install the app. The sign-in page is on the same host. */
  authorizeUrl: string | undefined;
  log: Log;
}

export type SignIn = ReturnType<typeof createSignIn>;

/** Allowed clock difference. */
const leewaySeconds = 60;

/** Sign in with Slack (OpenID Connect). */
export function createSignIn({ clientId, clientSecret, apiUrl, authorizeUrl, log }: SignInOptions) {
  const issuer = new URL(authorizeUrl ?? 'https://slack.com').origin;
  const client = new WebClient(undefined, clientOptions(apiUrl, log));
  const claims = z.object({
    iss: z.literal(issuer),
    aud: z.literal(clientId),
    exp: z.number(),
    nonce: z.string(),
    'https://slack.com/team_id': z.string(),
    'https://slack.com/user_id': z.string(),
  });
  return {
    /** Slack's page. It sends the browser back to `redirectUri`, with a code and the state. */
    addressFor({
      workspace,
      state,
      nonce,
      redirectUri,
    }: Record<'workspace' | 'state' | 'nonce' | 'redirectUri', string>): string {
      const address = new URL('/openid/connect/authorize', issuer);
      const parameters = { response_type: 'code', scope: 'openid', client_id: clientId, redirect_uri: redirectUri };
      address.search = String(new URLSearchParams({ ...parameters, team: workspace, state, nonce }));
      return address.href;
    },
    /** The person who signed in; undefined if Slack refuses the code, or the token isn't valid for this app and nonce. */
    async identify({ code, nonce, redirectUri }: Record<'code' | 'nonce' | 'redirectUri', string>) {
      const secrets = { client_id: clientId, client_secret: clientSecret };
      const tokenRequest = { ...secrets, code, redirect_uri: redirectUri, grant_type: 'authorization_code' as const };
      const answer = await client.openid.connect.token(tokenRequest).catch((error: unknown) => {
        if (platformErrorOf(error) === undefined) throw error;
        return undefined;
      });
      // The token comes directly from Slack over TLS, so its signature needs no check (OpenID Connect Core 3.1.3.7, 6).
      const { success, data } = claims.safeParse(payloadOf(answer?.id_token ?? ''));
      if (!success || data.nonce !== nonce || data.exp + leewaySeconds < Date.now() / 1000) return undefined;
      return { workspace: data['https://slack.com/team_id'], person: data['https://slack.com/user_id'] };
    },
  };
}

function payloadOf(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  } catch {
    return undefined;
  }
}
