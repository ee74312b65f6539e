import { connect } from 'node:net';
import { load } from 'cheerio';
import { expect, test } from 'vitest';
import { makeKeyPage } from '../../src/features/account/connect/page.ts';
import { makeDownloadLink } from '../../src/features/common/delivery/links.ts';
import { signIn } from '../../src/sandbox/sign-in.ts';
import { setUpApp } from '../helpers/app.ts';
import { deskOf } from '../helpers/desks.ts';
import { user } from '../helpers/exchange.ts';
import { listInbox } from '../helpers/inbox.ts';
import { setUpInboxApp } from '../helpers/inbox-app.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

const script = '<script>alert(1)</script>';
const hostileTexts = [
  script,
  '"><img src=x onerror=alert(1)>',
  "' autofocus onfocus='alert(1)",
  '</h1></main></html><form action=https://evil.example>',
  '&lt;b&gt; &#60;b&#62;',
];

/** Checks that a page contains nothing that runs, loads or links anywhere. */
function expectHarmless(html: string): void {
  const page = load(html);
  expect(page('script, img, iframe, object, embed, link, base, svg, a').length).toBe(0);
  expect(page('style')).toHaveLength(1);
  page('form').each((_, form) => expect(form.attribs).toEqual({ method: 'post' }));
  page('*').each((_, element) => {
    if (!('attribs' in element)) return;
    for (const name of Object.keys(element.attribs)) expect(name).not.toMatch(/^on|^style$|^(form)?action$|^href$/);
  });
}

/** Sends a request and returns the raw answer: the lines of its head, and its body. */
function rawRequest(
  url: string,
  method: string,
  path = new URL(url).pathname,
  cookie = '',
): Promise<{ lines: string[]; body: string }> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(
        `${method} ${path.replaceAll(' ', '%20')} HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
      ),
    );
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('end', () => {
      const [head = '', ...rest] = text.split('\r\n\r\n');
      resolve({ lines: head.split('\r\n'), body: rest.join('\r\n\r\n') });
    });
  });
}

const names = [
  ...hostileTexts,
  'a\r\nSet-Cookie: session=evil\r\n\r\n<b>.pdf',
  'x"; filename="evil.exe',
  "x'; filename*=UTF-8''evil.exe",
  '../../etc/passwd',
  'C:\\Windows\\evil.dll',
  '%0d%0aX-Evil: 1',
  '\u202efdp.exe',
  'räksmörgås 漢字 😀.pdf',
  '\u2028line\u0085.txt',
  `${'å'.repeat(300)}.pdf`,
];

test('any file name is shown as text and sent in one well-formed header', async () => {
  const { services, acme, bo, exchange } = await setUpInboxApp(postgres, { hasPublicUrl: true });
  const reader = { workspace: acme.id, person: bo.id };
  const files = names.map((name) => ({ name, data: 'bytes' }));
  const { url } = await exchange.addInboxItem(user, { sender: 'carl@example.org', files });
  await expect.poll(() => listInbox(services, reader)).toHaveLength(1);
  let cookie = '';
  for (const name of names) {
    const link = await makeDownloadLink(
      services,
      { ...(await deskOf(services.store, acme.id)), person: bo.id },
      { url, name },
    );
    cookie ||= await signIn(link, bo);
    const page = await (await fetch(link, { headers: { cookie } })).text();
    expectHarmless(page);
    expect(load(page)('h1').children()).toHaveLength(0);
    const { lines, body } = await rawRequest(link, 'POST', undefined, cookie);
    expect(lines[0], name).toBe('HTTP/1.1 200 OK');
    expect(body).toBe('bytes');
    const headers = lines.slice(1).map((line) => line.split(':', 1)[0]?.toLowerCase());
    expect(new Set(headers).size).toBe(headers.length);
    expect(headers).not.toContain('set-cookie');
    expect(headers).not.toContain('x-evil');
    expect(lines).toContain('content-type: application/octet-stream');
    const disposition = lines.find((line) => line.startsWith('content-disposition')) ?? '';
    const [, plain = '', encodedName = ''] =
      /^content-disposition: attachment; filename="([\w .()-]+)"; filename\*=UTF-8''([\w.!~%-]+)$/.exec(disposition) ??
      [];
    expect(plain, disposition).not.toBe('');
    const saved = decodeURIComponent(encodedName);
    expect(saved).not.toMatch(/[/\\\p{Cc}\p{Bidi_Control}"<>]|^\.|\.$/u);
    expect(Buffer.byteLength(saved)).toBeLessThanOrEqual(255);
    expect(saved).toBe(load(page)('h1').text());
  }
});

test('text from admins, the service and requests is never markup on a page', async () => {
  const { services, acme, anna, bo, exchange, slack, url } = await setUpApp(postgres, {
    connected: false,
    hasPublicUrl: true,
    isWorking: false,
  });
  const admin = { workspace: acme.id, person: anna.id };
  const desk = { workspace: acme.id, account: `${exchange.url}/${user}` };
  let linkCookie = '';
  for (const text of hostileTexts) {
    const { url: hostileKeyPageUrl } = await makeKeyPage(services, admin, { baseUrl: text, username: text });
    for (const cookie of ['', await signIn(hostileKeyPageUrl, anna)]) {
      const page = load(await (await fetch(hostileKeyPageUrl, { headers: { cookie } })).text());
      // The only link leads to Slack.
      const links = page('a').remove();
      expect(links).toHaveLength(cookie === '' ? 1 : 0);
      links.each((_, { attribs }) => expect(attribs.href?.startsWith(`${slack.url}/openid/`)).toBe(true));
      expectHarmless(page.html());
      expect(page('b').first().text()).toBe(text);
    }

    // The page also shows the service's error.
    const answer = { status: 500, headers: { 'content-type': 'text/plain' }, body: `Sorry: ${text}` };
    exchange.addFault({ operation: 'index', kind: 'answer', answer });
    const { url: keyPageUrl } = await makeKeyPage(services, admin, { baseUrl: exchange.url, username: user });
    const refused = await fetch(keyPageUrl, {
      method: 'POST',
      headers: { cookie: await signIn(keyPageUrl, anna) },
      body: new URLSearchParams({ key: 'some key' }),
    });
    expect(refused.status).toBe(400);
    const refusal = await refused.text();
    expectHarmless(refusal);
    expect(load(refusal)('.problem').text()).toContain(`Sorry: ${text.trim()}`);

    // The file of this link can't be downloaded.
    const link = await makeDownloadLink(services, { ...desk, person: bo.id }, { url: text, name: text });
    linkCookie ||= await signIn(link, bo);
    const failed = await fetch(link, { method: 'POST', headers: { cookie: linkCookie } });
    expect(failed.status).toBe(404);
    expectHarmless(await failed.text());

    // No answer echoes its path or query.
    const encoded = encodeURIComponent(text);
    const paths = [
      `/connect/${text}.${text}`,
      `/d/${text}.${text}`,
      `/${text}`,
      `/slack/${encoded}`,
      `/slack/oauth_redirect?error=${encoded}`,
      `/slack/oauth_redirect?code=${encoded}&state=${encoded}`,
      `/slack/install?${encoded}=${encoded}`,
      `/readyz?${text}`,
    ];
    for (const path of paths) {
      const { lines, body } = await rawRequest(url, 'GET', path);
      const type = lines.find((line) => /^content-type/i.test(line)) ?? '';
      const location = lines.find((line) => /^location/i.test(line)) ?? '';
      const page = load(body);
      page('a[href="/slack/install"]').remove();
      if (/html/.test(type) && !/^HTTP\/1.1 302/.test(lines[0] ?? '')) expectHarmless(page.html());
      expect(body, path).not.toContain(text);
      expect(location).not.toContain(encoded);
    }
  }
});

test('the page after an installation has no script, and its links lead only to Slack', async () => {
  const { slack, url } = await setUpApp(postgres, { connected: false, isWorking: false });
  const beta = slack.addWorkspace({ name: `Beta ${script}` });
  const bea = beta.addPerson({ name: `Bea ${script}`, role: 'owner' });
  const { status, text } = await bea.installs(`${url}/slack/install`);
  expect(status).toBe(200);
  const page = load(text);
  expect(page('script, img, iframe').length).toBe(0);
  expect(page('h1').text()).toBe(`Dropline is installed in Beta ${script}`);
  page('a').each((_, link) => expect(link.attribs.href).toMatch(/^https:\/\/slack\.com\/app_redirect\?/));
});
