import { expect, test } from 'vitest';
import { signIn } from '../../src/sandbox/sign-in.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { dumpOf, encodingsOf } from '../helpers/dump.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

/** Expects no secret in the database, the log or a call to Slack. Returns the database dump. */
async function expectNoSecret(setup: AppSetup, ...moreSecrets: string[]): Promise<string> {
  const { services, logged, slack, acme, account, env } = setup;
  const dump = await dumpOf(services.store.pool);
  const secrets = {
    'API key': apiKey,
    'account and API key': `${user}:${apiKey}`,
    'bot token': acme.installation?.botToken ?? '',
    'signing secret': env.SLACK_SIGNING_SECRET ?? '',
    'client secret': env.SLACK_CLIENT_SECRET ?? '',
    'secret key': Buffer.from(env.SECRET_KEY ?? '', 'base64').toString('hex'),
    ...Object.fromEntries(account.tokens.map(({ value }, number) => [`service token ${number}`, value])),
    ...Object.fromEntries(moreSecrets.map((secret, number) => [`secret ${number}`, secret])),
  };
  // Signing in sends Slack the client secret that Slack issued, so these calls are checked for the API key only.
  const tokenCalls = slack.calls.filter(({ method }) => method === 'openid.connect.token');
  const otherCalls = JSON.stringify(slack.calls.filter((call) => !tokenCalls.includes(call)));
  expect(JSON.stringify(tokenCalls)).not.toContain(apiKey);
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(10);
    for (const encoded of encodingsOf(secret)) {
      expect(dump.includes(encoded), `${name} in the database`).toBe(false);
      expect(logged().includes(encoded), `${name} in the log`).toBe(false);
      // `moreSecrets` includes the page's token, which the bot sends to the person who connects.
      expect(!moreSecrets.includes(secret) && otherCalls.includes(encoded), `${name} in a call to Slack`).toBe(false);
    }
  }
  return dump;
}

async function setUpConnectForm(hasPublicUrl = false) {
  const setup = await setUpApp(postgres, { connected: false, hasPublicUrl, logLevel: 'trace' });
  const { anna, exchange } = setup;
  await anna.types('/drop connect', { in: '#general' });
  await anna.fills('Service URL', exchange.url);
  await anna.fills('Account email', user);
  return setup;
}

/**
 * Delays the next connect twice: at its first call and once Dropline has a token. The returned function runs `check`
 * during each delay.
 */
function delayConnect({ exchange }: AppSetup) {
  const index = exchange.addFault({ operation: 'index', kind: 'delay' });
  const contacts = exchange.addFault({ operation: 'contacts_read', kind: 'delay' });
  return async (check: () => Promise<void>) => {
    for (const delay of [index, contacts]) {
      await delay.triggered;
      await check();
      await delay.release();
    }
  };
}

test('no secret is readable while the service hangs during connecting, or afterwards', async () => {
  const setup = await setUpConnectForm();
  const { anna, account, acme } = setup;
  await anna.fills('API key', apiKey);
  const duringDelays = delayConnect(setup);
  await anna.picks('Expiry is counted in', 'days');
  const submitted = anna.submits('Test and connect');
  await duringDelays(async () => {
    const dump = await expectNoSecret(setup);
    // The encrypted key is stored while it is tested, with a job that continues if this process dies.
    expect(dump).toContain(`("connect-draft:${acme.id} `);
    expect(dump).toContain('""trial"":');
  });
  await submitted;
  await anna.sees('onnected to the file service as');
  expect(account.tokens.length).toBeGreaterThan(0);
  const dump = await expectNoSecret(setup);
  expect(dump).toContain(`("credentials:${acme.id} `);
  expect(dump).not.toContain('connect-draft:');
});

test("neither database nor log contains the key page's address or the entered key", async () => {
  const setup = await setUpConnectForm(true);
  const { anna, acme } = setup;
  await anna.picks('Expiry is counted in', 'days');
  await anna.submits('Next');
  await anna.clicks('Open page');
  const [page = ''] = anna.opened;
  const token = page.split('.').at(-1) ?? '';
  const headers = { cookie: await signIn(page, anna) };
  expect((await fetch(page, { headers })).status).toBe(200);
  expect(await expectNoSecret(setup, token)).toContain(`("key-page:${acme.id} `);
  const post = (key: string) => fetch(page, { method: 'POST', headers, body: new URLSearchParams({ key }) });
  expect((await post('a wrong key')).status).toBe(400);
  expect(await expectNoSecret(setup, token, 'a wrong key')).toContain(`("key-page:${acme.id} `);
  const duringDelays = delayConnect(setup);
  const posted = post(apiKey);
  await duringDelays(async () => {
    expect(await expectNoSecret(setup, token)).toContain(`("connect-draft:${acme.id} `);
  });
  expect((await posted).status).toBe(200);
  const dump = await expectNoSecret(setup, token);
  expect(dump).toContain(`("credentials:${acme.id} `);
  expect(dump).not.toMatch(/connect-(page|trial):/);
});
