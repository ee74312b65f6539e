import type { SlackServer } from '../../src/sandbox/slack/index.ts';

/** Opens the install page. Returns a function that sends the OAuth redirect, with a code that Slack doesn't know. */
export async function startInstall(url: string) {
  const install = await fetch(`${url}/slack/install`, { redirect: 'manual' });
  const state = new URL(install.headers.get('location') ?? '').searchParams.get('state');
  const headers = { cookie: install.headers.get('set-cookie')?.split(';')[0] ?? '' };
  return (botUrl = url) => fetch(`${botUrl}/slack/oauth_redirect?code=x&state=${state}`, { headers });
}

export const countCodeExchanges = ({ calls }: SlackServer) =>
  calls.filter(({ method }) => method === 'oauth.v2.access').length;
