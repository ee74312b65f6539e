import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
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

/** The page shows neither code marks nor links. */
const withoutMarkup = (markdown: string) => markdown.replaceAll('`', '').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');

test('the front page says what Dropline is and links to the installation', async () => {
  const { url } = await setUpApp(postgres, { connected: false });
  const { status, text, links, headers } = await open(`${url}/?from=search`);
  expect(status).toBe(200);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(text).toContain('Send and receive files securely without leaving Slack.');
  expect(text).toContain('Dropline is running.');
  expect(links.map(({ attribs }) => attribs.href)).toEqual(['/slack/install', '/privacy']);
  const install = await fetch(`${url}${links[0]?.attribs.href}`, { redirect: 'manual' });
  expect(install.status).toBe(302);
});

test('Home links to the privacy page, which has the rows of the manual', async () => {
  const { url, anna, slack } = await setUpApp(postgres, { connected: false, hasPublicUrl: true });
  await anna.opens('Home of Dropline');
  await anna.sees('Privacy');
  const published = slack.calls.find(({ method }) => method === 'views.publish');
  expect(JSON.stringify(published?.arguments)).toContain(`${url}/privacy`);
  const answer = await fetch(`${url}/privacy`);
  expect(answer.status).toBe(200);
  const page = load(await answer.text());
  const manual = readFileSync(resolve(import.meta.dirname, '../../manifest/operations.md'), 'utf8');
  const [, section = ''] = /\n## Privacy\n(.+?)\n## /s.exec(manual) ?? [];
  const rows = [...section.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => withoutMarkup(row).split(' | '));
  const shown = page('h2')
    .toArray()
    .map((heading) => [
      page(heading).text(),
      ...page(heading)
        .next('dl')
        .find('dd')
        .toArray()
        .map((cell) => page(cell).text()),
    ]);
  // The first row is the head.
  expect(shown.map((cells) => cells.join(' | ').toLowerCase())).toEqual(
    rows.slice(1).map((cells) => cells.join(' | ').toLowerCase()),
  );
  const paragraph = withoutMarkup(section.slice(section.lastIndexOf('|') + 1));
  expect(page('main > p').first().text()).toBe(paragraph.trim());
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

test('an organisation-wide installation is refused, and its page says what to do', async () => {
  const { url, slack, anna, services } = await setUpApp(postgres, { connected: false });
  slack.behaviour.orgWideInstalls = true;
  const { status, text } = await anna.installs(`${url}/slack/install`);
  expect(status).toBe(400);
  expect(load(text)('main').text()).toContain("can't be installed for a whole organisation yet. Install it in each");
  expect(await services.store.installations.get('E0ACMEGROUP0')).toBeUndefined();
});
