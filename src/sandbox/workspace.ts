import { readFileSync } from 'node:fs';
import { legalUser } from './service.ts';
import { signIn } from './sign-in.ts';
import {
  type Manifest,
  type OutsideWorld,
  type Person,
  type SlackServer,
  slackVariables,
  startSlackServer,
  type Workspace,
} from './slack/index.ts';

export const secrets = { clientId: 'sandbox.client', clientSecret: 'sandbox-secret', signingSecret: 'sandbox-signing' };

export interface SandboxWorkspace {
  slack: SlackServer;
  workspace: Workspace;
  /** The owner of the workspace. */
  anna: Person;
  /** Installs the app from the bot's own page, then adds the channels. */
  installFrom(botUrl: string): Promise<void>;
}

/** The workspace and its people. Their ids are the same on every start, so that they match the bot's data. */
export async function startWorkspace(port: number, outside: OutsideWorld): Promise<SandboxWorkspace> {
  const manifest = JSON.parse(readFileSync(new URL('../../manifest/app.json', import.meta.url), 'utf8')) as Manifest;
  const slack = await startSlackServer({ app: { id: 'A0SANDBOX00', ...secrets, manifest }, port, outside });
  const workspace = slack.addWorkspace({ name: 'Acme', id: 'T0SANDBOX00' });
  const anna = workspace.addPerson({ name: 'Anna', role: 'owner', id: 'U0ANNA00000' });
  const bo = workspace.addPerson({ name: 'Bo', id: 'U0BO0000000' });
  const gus = workspace.addPerson({ name: 'Gus', role: 'guest', id: 'U0GUS000000' });
  return {
    slack,
    workspace,
    anna,
    async installFrom(botUrl) {
      slack.deliverTo(botUrl);
      const { status, text } = await anna.installs(`${botUrl}/slack/install`);
      if (status !== 200) throw new Error(`the app could not be installed (${status}): ${text}`);
      workspace.addChannel({ name: 'general', id: 'C0GENERAL00', members: [anna, bo, gus, 'app'] });
      workspace.addChannel({ name: 'inbox', id: 'C0INBOX0000', members: [anna, bo, 'app'] });
      workspace.addChannel({ name: 'legal', id: 'C0LEGAL0000', kind: 'private', members: [anna, bo, 'app'] });
      for (const person of [bo, gus]) await person.opens('#general');
      // As in Slack, the person who has installed an app is taken to it.
      await anna.opens('Dropline');
      await anna.sees(/Next step|up to date/);
    },
  };
}

export interface ServiceAccount {
  url: string;
  user: string;
  apiKey: string;
}

/** Connects as a person does: with the form, then on the page for the key. */
export async function connectByForm(anna: Person, account: ServiceAccount): Promise<void> {
  await anna.types('/drop connect', { in: 'Dropline' });
  await fillConnectForm(anna, account);
  await anna.submits('Next');
  await enterKey(anna, account);
  await anna.closes();
}

/** Fills in the connect form that this person has open. */
export async function fillConnectForm(person: Person, { url, user }: ServiceAccount): Promise<void> {
  const isAnother = person.screen().includes('A desk is an account');
  if (isAnother) await person.fills('Name', 'Legal');
  await person.fills('Service URL', url);
  await person.fills('Account email', isAnother ? legalUser : user);
  await person.picks('Channel for incoming files', isAnother ? '#legal' : '#inbox');
  await person.picks('Expiry is counted in', 'days');
}

/** Opens the page for the key as this person does in a browser, signs in and enters the key. */
export async function enterKey(person: Person, { apiKey }: ServiceAccount): Promise<void> {
  await person.clicks('Open page');
  const page = person.opened.at(-1) ?? '';
  const headers = { cookie: await signIn(page, person) };
  const answer = await fetch(page, { method: 'POST', headers, body: new URLSearchParams({ key: apiKey }) });
  if (answer.status !== 200) throw new Error(`the account could not be connected: ${await answer.text()}`);
}

/** The environment of a bot that uses this workspace, its own Postgres and the service at `serviceUrl`. */
export function botVariables(
  slack: SlackServer,
  port: number,
  dataDir: string,
  serviceUrl: string,
): Record<string, string> {
  return {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: dataDir,
    ...slackVariables(slack, secrets),
    EXCHANGE_HOSTS: new URL(serviceUrl).host,
    POLL_SECONDS: '5',
  };
}
