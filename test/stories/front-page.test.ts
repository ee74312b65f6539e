import { load } from 'cheerio';
import { expect, test } from 'vitest';
import { setUpApp } from '../helpers/app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

async function open(url: string) {
  const answer = await fetch(url);
  const page = load(await answer.text());
  return { status: answer.status, text: page('main').text(), links: page('a').toArray(), headers: answer.headers };
}

test('the front page says what Dropline is and links to the installation', async () => {
  const { url } = await setUpApp(postgres, { connected: false });
  const { status, text, links, headers } = await open(`${url}/?from=search`);
  expect(status).toBe(200);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(text).toContain('Send and receive files securely without leaving Slack.');
  expect(text).toContain('Dropline is running.');
  expect(text).toContain('Privacy');
  expect(links.map(({ attribs }) => attribs.href)).toEqual(['/slack/install']);
  const install = await fetch(`${url}${links[0]?.attribs.href}`, { redirect: 'manual' });
  expect(install.status).toBe(302);
});

test('the page of a failed installation says why it failed and what to do', async () => {
  const { url } = await setUpApp(postgres, { connected: false });
  const redirect = `${url}/slack/oauth_redirect`;
  const expected: [string, string][] = [
    ['?error=access_denied', 'The installation was cancelled.'],
    ['?error=invalid_team_for_non_distributed_app', 'turn on "Manage Distribution" in the Slack app'],
    ['?code=x&state=y', 'The page was open too long, or in another browser.'],
    ['?error=constructor', 'Start the installation again.'],
  ];
  for (const [query, message] of expected) {
    const { status, text } = await open(`${redirect}${query}`);
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining(message) });
  }
});
