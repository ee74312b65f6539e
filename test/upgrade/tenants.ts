import type { Account } from '../../src/sandbox/exchange/index.ts';
import type { Channel, Workspace } from '../../src/sandbox/slack/index.ts';
import { until } from '../helpers/features.ts';
import { type Bot, serviceUrl, type TestServers } from './deployment.ts';
import { PersonDriver } from './person-driver.ts';

/** A workspace with its owner, its account on the service, and a channel for incoming files. */
export interface Tenant {
  workspace: Workspace;
  owner: PersonDriver;
  account: Account;
  inbox: Channel;
}

export type Tenants = Record<'acme' | 'birch' | 'cedar' | 'dune' | 'elm' | 'fir' | 'grove' | 'hazel' | 'juno', Tenant>;

/** Enough contacts for three pages, each in its own group and in a common one. */
const contacts = Array.from({ length: 24 }, (_, index) => {
  const number = String(index + 1).padStart(2, '0');
  const groups = ['everyone', `team ${number}`];
  return { email: `person${number}@example.org`, number: `467000000${number}`, nick: `Person ${number}`, groups };
});

const fewContacts = [
  { email: 'carl@example.org', number: '46700000101', nick: 'Carl', groups: ['board'] },
  { email: 'dora@example.net', number: '46700000102', nick: 'Dora', groups: ['board'], custom: { of: 'the service' } },
  { email: 'emil@example.com', number: '46700000103', nick: 'Emil', groups: [] },
];

async function createTenant({ slack, exchange }: TestServers, bot: Bot, name: string): Promise<Tenant> {
  const workspace = slack.addWorkspace({ name });
  const person = workspace.addPerson({ name: `${name} Owner`, role: 'owner' });
  workspace.addChannel({ name: 'general', members: [person] });
  await person.installs(`${bot.url}/slack/install`);
  const inbox = workspace.addChannel({ name: 'inbox', members: [person, 'app'] });
  const account = exchange.addAccount({ user: `${name.toLowerCase()}@example.com`, apiKey: `key of ${name}` });
  account.contacts.local = name === 'Acme' ? [...fewContacts, ...contacts] : structuredClone(fewContacts);
  return { workspace, owner: new PersonDriver(slack, workspace, person), account, inbox };
}

/** Fills in the form that connects a workspace. */
export async function fillConnect({ owner, account, inbox }: Tenant, { apiKey = account.apiKey } = {}): Promise<void> {
  await owner.seesForm('connect.form');
  const login = { baseUrl: serviceUrl, username: account.user, ...(apiKey !== '' && { apiKey }) };
  await owner.fills({ ...login, inboxChannel: inbox.id, ttlUnit: 'days' });
}

async function connect(bot: Bot, tenant: Tenant): Promise<void> {
  await tenant.owner.types('/drop connect');
  await fillConnect(tenant);
  await tenant.owner.submits();
  await bot.untilInteractionsDone();
  await until(() => tenant.inbox.messages.length > 0 || undefined, `${tenant.workspace.name} to be connected`);
}

/** Creates all workspaces and connects them, except Grove (connected later, on a page) and Hazel (left unconnected). */
export async function createTenants(servers: TestServers, bot: Bot): Promise<Tenants> {
  const create = (name: string) => createTenant(servers, bot, name);
  const tenants = {
    acme: await create('Acme'),
    birch: await create('Birch'),
    cedar: await create('Cedar'),
    dune: await create('Dune'),
    elm: await create('Elm'),
    fir: await create('Fir'),
    grove: await create('Grove'),
    hazel: await create('Hazel'),
    juno: await create('Juno'),
  };
  const { acme, grove, hazel } = tenants;
  for (let index = 0; index < 10; index += 1) {
    const files = [{ name: `early-${index}.txt`, data: `early ${index}` }];
    await servers.exchange.addInboxItem(acme.account.user, { sender: 'carl@example.org', files, ttl: 100 });
  }
  for (const tenant of Object.values(tenants)) if (tenant !== grove && tenant !== hazel) await connect(bot, tenant);
  return tenants;
}
