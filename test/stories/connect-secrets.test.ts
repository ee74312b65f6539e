import { expect, test } from 'vitest';
import { signIn } from '../../src/sandbox/sign-in.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import { dumpOf, tracesOf } from '../helpers/dump.ts';
import { apiKey, user } from '../helpers/exchange.ts';
import { startTestPostgres } from '../helpers/postgres.ts';

const postgres = startTestPostgres();

/** Looks for secrets in the whole database, in the log and in every call to Slack. */
async function expectNoSecret(setup: AppSetup, ...more: string[]): Promise<string> {
  const { services, logged, slack, acme, account, env } = setup;
  const dump = await dumpOf(services.store.pool);
  const secrets = {
    key: apiKey,
    'the key with the account': `${user}:${apiKey}`,
    'token of the bot': acme.installation?.botToken ?? '',
    'signing secret': env.SLACK_SIGNING_SECRET ?? '',
    'client secret': env.SLACK_CLIENT_SECRET ?? '',
    'secret key': Buffer.from(env.SECRET_KEY ?? '', 'base64').toString('hex'),
    ...Object.fromEntries(account.tokens.map(({ value }, number) => [`token ${number} of the service`, value])),
    ...Object.fromEntries(more.map((secret, number) => [`secret ${number}`, secret])),
  };
  // Signing in sends Slack the client secret that it issued, so these calls are checked for the API key only.
  const asks = slack.calls.filter(({ method }) => method === 'openid.connect.token');
  const said = JSON.stringify(slack.calls.filter((call) => !asks.includes(call)));
  expect(JSON.stringify(asks)).not.toContain(apiKey);
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(10);
    for (const trace of tracesOf(secret)) {
      expect(dump.includes(trace), `${name} in the database`).toBe(false);
      expect(logged().includes(trace), `${name} in the log`).toBe(false);
      // The bot sends the link to the page, with its token, to the person who connects.
      expect(!more.includes(secret) && said.includes(trace), `${name} in what was said to Slack`).toBe(false);
    }
  }
  return dump;
}

async function atTheForm(hasPublicUrl = false) {
  const setup = await setUpApp(postgres, { connected: false, hasPublicUrl, logLevel: 'trace' });
  const { anna, exchange } = setup;
  await anna.types('/drop connect', { in: '#general' });
  await anna.fills('Address of the service', exchange.url);
  await anna.fills("The account's e-mail address", user);
  return setup;
}

/** A connect that hangs twice: before the service answers, and once Dropline has its token. */
function hangingConnect({ exchange }: AppSetup) {
  const index = exchange.addFault({ operation: 'index', kind: 'delay' });
  const contacts = exchange.addFault({ operation: 'contacts_read', kind: 'delay' });
  return async (look: () => Promise<void>) => {
    for (const hanging of [index, contacts]) {
      await hanging.struck;
      await look();
      await hanging.release();
    }
  };
}

test('no secret is readable while the service hangs during a connect, or afterwards', async () => {
  const setup = await atTheForm();
  const { anna, account, acme } = setup;
  await anna.fills('API key', apiKey);
  const whileItHangs = hangingConnect(setup);
  const submitted = anna.submits('Test and connect');
  await whileItHangs(async () => {
    const dump = await expectNoSecret(setup);
    // The encrypted key is stored for its trial, with the job that takes over if this process dies.
    expect(dump).toContain(`("connect-trial:${acme.id} `);
    expect(dump).toContain('""trial"":');
  });
  await submitted;
  await anna.sees('is connected to the file service as');
  expect(account.tokens.length).toBeGreaterThan(0);
  const dump = await expectNoSecret(setup);
  expect(dump).toContain(`(credentials:${acme.id},`);
  expect(dump).not.toContain('connect-trial:');
});

test('neither database nor log reveals the address of the key page or its key', async () => {
  const setup = await atTheForm(true);
  const { anna, acme } = setup;
  await anna.submits('Next');
  await anna.clicks('Open the page');
  const [page = ''] = anna.opened;
  const token = page.split('.').at(-1) ?? '';
  const headers = { cookie: await signIn(page, anna) };
  expect((await fetch(page, { headers })).status).toBe(200);
  expect(await expectNoSecret(setup, token)).toContain(`("connect-page:${acme.id} `);
  const post = (key: string) => fetch(page, { method: 'POST', headers, body: new URLSearchParams({ key }) });
  expect((await post('a wrong key')).status).toBe(400);
  expect(await expectNoSecret(setup, token, 'a wrong key')).toContain(`("connect-page:${acme.id} `);
  const whileItHangs = hangingConnect(setup);
  const posted = post(apiKey);
  await whileItHangs(async () => {
    expect(await expectNoSecret(setup, token)).toContain(`("connect-trial:${acme.id} `);
  });
  expect((await posted).status).toBe(200);
  const dump = await expectNoSecret(setup, token);
  expect(dump).toContain(`(credentials:${acme.id},`);
  expect(dump).not.toMatch(/connect-(page|trial):/);
});
