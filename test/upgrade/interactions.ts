import { signIn } from '../../src/sandbox/sign-in.ts';
import { until } from '../helpers/features.ts';
import type { Bot, TestServers } from './deployment.ts';
import { PersonDriver } from './person-driver.ts';
import type { Recorder } from './recorder.ts';
import { fillConnect, type Tenant, type Tenants } from './tenants.ts';

export interface RecordingContext extends TestServers {
  bot: Bot;
  recorder: Recorder;
  tenants: Tenants;
  timing: { batchMs: number };
}

/** Creates data in the workspaces, and records the modals that this opens. interrupted-work.ts records most messages. */
export async function runInteractions(context: RecordingContext): Promise<void> {
  const { acme } = context.tenants;
  const { workspace, owner, inbox } = acme;
  const bo = new PersonDriver(context.slack, workspace, workspace.addPerson({ name: 'Bo' }));
  const cleo = new PersonDriver(context.slack, workspace, workspace.addPerson({ name: 'Cleo' }));
  for (const channel of [workspace.channel('general'), inbox]) for (const { person } of [bo, cleo]) channel.add(person);
  for (const name of ['invoices', 'projects', 'later'])
    workspace.addChannel({ name, members: [owner.person, bo.person, 'app'] });

  await connectOnPage(context);
  await saveSettings(context, bo, cleo);
  await receiveItems(context);
  await sendTransfers(context, bo);
  await sendRequests(context);
  await recordContacts(context);
  await recordFailures(context);
  await recordLists(context, bo);
  await saveDrafts(context, bo);
  await recordSettings(context);
  const { grove, hazel, juno } = context.tenants;
  for (const { owner: driver } of [acme, grove, hazel, juno]) {
    driver.closesAll();
    await driver.person.opens('Home of Dropline');
  }
  await context.bot.untilInteractionsDone();
}

const submitsForm = async ({ bot }: RecordingContext, driver: PersonDriver, form: string) => {
  await driver.submits();
  await bot.untilInteractionsDone();
  await until(
    () => driver.view()?.body.callback_id !== form || undefined,
    `${form}:\n${driver.person.screen()}`,
    10_000,
  );
};

/** Grove enters its key on a page. Hazel leaves the page and the connect form open. */
async function connectOnPage(context: RecordingContext): Promise<void> {
  const { recorder, bot } = context;
  const { grove, hazel } = context.tenants;
  const pageOf = ({ owner }: Tenant) => String(owner.elements().find(({ element }) => element.url)?.element.url);
  for (const tenant of [grove, hazel]) {
    await tenant.owner.types('/drop contacts');
    await fillConnect(tenant, { apiKey: '' });
    await tenant.owner.submits();
    await tenant.owner.sees('link.key');
  }
  recorder.known.keyPage = new URL(pageOf(hazel)).pathname;
  const body = new URLSearchParams({ key: grove.account.apiKey, workspace: 'Grove' });
  const headers = { cookie: await signIn(pageOf(grove), grove.owner.person) };
  await fetch(pageOf(grove), { method: 'POST', body, headers });
  await until(() => grove.inbox.messages.length > 0 || undefined, 'Grove to be connected');
  await hazel.owner.types('/drop connect');
  await fillConnect(hazel);
  recorder.recordForm(hazel.owner);
  await bot.untilInteractionsDone();
}

export async function opensSettings(driver: PersonDriver, page: string): Promise<void> {
  await driver.types('/drop settings');
  await driver.presses('settings.open', `"${page}"`);
}

async function saves(
  context: RecordingContext,
  driver: PersonDriver,
  page: string,
  fields: Record<string, string | string[]>,
) {
  await opensSettings(driver, page);
  await driver.seesForm(`settings.${page}`);
  await driver.fills(fields);
  await submitsForm(context, driver, `settings.${page}`);
}

async function opensRouteForm(driver: PersonDriver): Promise<void> {
  await opensSettings(driver, 'routes');
  await driver.presses('settings.route-new');
  await driver.seesForm('settings.route');
}

async function saveSettings(context: RecordingContext, bo: PersonDriver, cleo: PersonDriver): Promise<void> {
  const { acme, birch, grove } = context.tenants;
  const { owner, workspace } = acme;
  const people = { admins: [cleo.person.id], request: 'admins', download: 'these', downloadPeople: [bo.person.id] };
  await saves(context, owner, 'people', people);
  const times = { ttlUnit: 'days', ttlUsual: '7', ttlLongest: '30' };
  const domains = { receiverDomains: 'example.org\nexample.net', message: 'Kind regards, Acme' };
  await saves(context, owner, 'sending', { ...times, ...domains, watchedChannels: [workspace.channel('projects').id] });
  // Creates enough entries for a second page of the audit log.
  for (let round = 0; round < 6; round += 1)
    for (const delivery of ['private', 'thread']) await saves(context, owner, 'inbox', { delivery });
  await saves(context, owner, 'service', { requests: 'on' });
  await opensRouteForm(owner);
  await owner.fills({ from: 'example.net', channel: workspace.channel('invoices').id });
  await submitsForm(context, owner, 'settings.route');
  await saves(context, birch.owner, 'service', { requests: 'on', contactsOnlyAdd: 'adds' });
  await saves(context, grove.owner, 'inbox', { delivery: 'link' });
}

/** Adds items that are announced, routed, downloaded or removed. */
async function receiveItems(context: RecordingContext): Promise<void> {
  const { exchange, bot, recorder } = context;
  const { acme, grove } = context.tenants;
  const { owner, workspace, account, inbox } = acme;
  const addItem = (user: string, sender: string, names: string[]) =>
    exchange.addInboxItem(user, { sender, files: names.map((name) => ({ name, data: `bytes of ${name}` })), ttl: 100 });
  const untilPosted = (channel: Tenant['inbox'], text: string) =>
    until(() => channel.messages.find((message) => JSON.stringify(message).includes(text)), `${text} to be posted`);
  const gone = await addItem(account.user, 'person01@example.org', ['gone.txt']);
  const { ts } = await untilPosted(inbox, 'gone.txt');
  account.inbox = account.inbox.filter(({ url }) => url !== gone.url);
  const editedAt = () => inbox.messages.find((message) => message.ts === ts)?.edited;
  await until(editedAt, 'the post of a removed item to change');
  const many = Array.from({ length: 25 }, (_, index) => `part-${index}.txt`);
  await addItem(account.user, 'person02@example.org', many);
  await addItem(account.user, 'dora@example.net', ['invoice.txt']);
  await untilPosted(workspace.channel('invoices'), 'invoice.txt');
  await addItem(account.user, 'carl@example.org', ['report.txt']);
  await untilPosted(inbox, 'report.txt');

  await owner.types('/drop inbox');
  await owner.presses('inbox.download', 'report.txt');
  await until(() => workspace.files.find(({ name }) => name === 'report.txt'), 'report.txt in Slack');
  await addItem(grove.account.user, 'carl@example.org', ['linked.txt']);
  await untilPosted(grove.inbox, 'linked.txt');
  await grove.owner.types('/drop inbox');
  await grove.owner.presses('inbox.download', 'linked.txt');
  await bot.untilInteractionsDone();
  grove.owner.closesAll();
  await grove.owner.sees('link.download');
  const link = grove.owner.elements().find(({ ref }) => ref.actionId === 'link.download');
  recorder.known.downloadPage = new URL(String(link?.element.url)).pathname;
}

export interface Sending {
  to: string;
  files: readonly string[];
}

/** Fills in an empty send form up to the review. */
export async function reviews(driver: PersonDriver, { to, files }: Sending): Promise<void> {
  await driver.types('/drop send');
  await driver.seesForm('send.form');
  const ids = await Promise.all(files.map((name) => driver.uploads(name, `content of ${name}`)));
  await driver.fills({ receivers: [to], files: ids });
  await driver.submits();
  await driver.seesForm('send.confirm');
}

export async function sends(context: RecordingContext, driver: PersonDriver, sending: Sending): Promise<void> {
  await reviews(driver, sending);
  await driver.submits();
  await context.bot.untilInteractionsDone();
}

export async function untilTransfersEnd({ bot }: RecordingContext, { workspace }: Tenant): Promise<void> {
  const sql = 'select from dropline.dispatches where workspace = $1 and told_at is null';
  const isDone = async () => (await bot.services.store.pool.query(sql, [workspace.id])).rowCount === 0 || undefined;
  await until(isDone, `the transfers of ${workspace.name}`);
}

async function sendTransfers(context: RecordingContext, bo: PersonDriver): Promise<void> {
  const { exchange, recorder } = context;
  const { acme, grove, dune } = context.tenants;
  const file = {
    type: 'text/plain',
    bytes: 1,
    sha256: '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881',
  };
  const old = { type: 'downloadfiles', ttl: 7, message: 'long ago' } as const;
  for (let day = 1; day < 10; day += 1) {
    const createdAt = Date.now() - day * 86_400_000;
    const recipients = [{ email: `person0${day}@example.org` }];
    const files = [{ ...file, name: `old-${day}.txt` }];
    acme.account.drops.push({
      ...old,
      id: `old ${day}`,
      createdAt,
      expiresAt: createdAt,
      receivers: recipients,
      files,
      pages: [],
    });
  }
  await sends(context, acme.owner, { to: 'carl', files: ['past.txt'] });
  await untilTransfersEnd(context, acme);

  // The second of two files does not fit on the disk.
  const first = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await sends(context, bo, { to: 'carl', files: ['fits.txt', 'large.txt'] });
  await first.triggered;
  // The fault must occur twice, because the bot retries with another token.
  const full = exchange.addFault({ operation: 'upload', kind: 'disk-full', times: 2 });
  await first.release();
  await untilTransfersEnd(context, acme);
  full.remove();

  grove.account.uploads.push({ ...file, name: 'unexpected.doc' });
  await sends(context, grove.owner, { to: 'carl', files: ['blocked.txt'] });
  await untilTransfersEnd(context, grove);
  await grove.owner.types('/drop files');
  await grove.owner.sees('files.remove');
  recorder.recordButtons(grove.owner);
  await grove.owner.types('/drop disconnect');
  await grove.owner.sees('connect.leave');
  recorder.recordButtons(grove.owner);

  // The uploads disappear before the bot can check them, so the outcome stays unknown.
  const reset = exchange.addFault({ operation: 'createdrop', kind: 'reset-before' });
  await sends(context, dune.owner, { to: 'carl', files: ['unknown.txt'] });
  await reset.triggered;
  dune.account.uploads = [];
  await untilTransfersEnd(context, dune);
  await dune.owner.types('/drop status');
  await dune.owner.sees('status.release');
  recorder.recordButtons(dune.owner);
}

/** Fills in an empty request form up to the review. Records both if a recorder is passed. */
export async function fillsRequest(driver: PersonDriver, to: string, recorder?: Recorder): Promise<void> {
  await driver.types('/drop request');
  await driver.seesForm('request.form');
  await driver.fills({ receivers: [to], timeToLive: '5', message: `Files from ${to}, please` });
  recorder?.recordForm(driver);
  await driver.submits();
  await driver.seesForm('request.confirm');
  recorder?.recordForm(driver);
}

async function sendRequests(context: RecordingContext): Promise<void> {
  const { exchange } = context;
  const { acme, birch } = context.tenants;
  await fillsRequest(birch.owner, 'carl');
  await birch.owner.submits();
  await untilTransfersEnd(context, birch);
  const files = [{ name: 'reply.txt', data: 'the reply' }];
  await exchange.addInboxItem(birch.account.user, { sender: 'carl@example.org', files, ttl: 100 });
  const replied = () => birch.owner.messages().find(({ message }) => JSON.stringify(message).includes('reply.txt'));
  await until(replied, 'the reply');
  exchange.addFault({ operation: 'givedrop', kind: 'answer', answer: { status: 403, body: 'no' } });
  await fillsRequest(birch.owner, 'dora');
  await birch.owner.submits();
  await untilTransfersEnd(context, birch);
  context.recorder.recordMessages(birch.owner, ['request.open']);
  await fillsRequest(acme.owner, 'person03', context.recorder);
}

async function recordContacts(context: RecordingContext): Promise<void> {
  const { bot, recorder } = context;
  const { owner } = context.tenants.acme;
  const opensList = async (query = '') => {
    await owner.types('/drop contacts');
    await owner.sees('contacts.menu');
    if (query === '') return;
    // Search in the modal: the command opens the contact's card if only one contact matches.
    await owner.fills({ query });
    await owner.submits();
    await owner.sees('contacts.all');
  };
  const recordsForm = async (form: string, fields: Record<string, string | string[]>, variant = '') => {
    await owner.seesForm(form);
    await owner.fills(fields);
    recorder.recordForm(owner, variant);
  };
  await opensList();
  await owner.presses('contacts.page');
  await bot.untilInteractionsDone();
  recorder.recordButtons(owner);
  await owner.fills({ query: 'person04' });
  recorder.recordForm(owner);
  await opensList('person05');
  recorder.recordButtons(owner);
  await owner.presses('contacts.add');
  const typed = {
    email: 'new@example.org',
    number: '46700000999',
    nick: 'New',
    knownGroups: ['board'],
    groups: 'fresh',
  };
  await recordsForm('contacts.add', typed);
  await opensList('person06');
  await owner.presses('contacts.menu', 'edit');
  await recordsForm('contacts.edit', { nick: 'Renamed' });
  await opensList('person07');
  await owner.presses('contacts.menu', 'groups');
  await recordsForm('contacts.edit', { groups: 'extra' }, '#groups');
  await opensList('person08');
  await owner.presses('contacts.menu', 'remove');
  await recordsForm('contacts.remove', {});

  await opensList();
  await owner.presses('contacts.groups');
  await owner.presses('contacts.groupsPage');
  await bot.untilInteractionsDone();
  recorder.recordButtons(owner);
  await owner.presses('contacts.newGroup');
  await recordsForm('contacts.newGroup', { group: 'newcomers', members: ['emil'] });
  await opensList();
  await owner.presses('contacts.groups');
  await owner.presses('contacts.group', 'everyone');
  await owner.sees('contacts.leave');
  await owner.presses('contacts.membersPage');
  await bot.untilInteractionsDone();
  recorder.recordButtons(owner);
  await recordsForm('contacts.join', { members: ['carl'] });

  await opensList();
  await owner.presses('contacts.import');
  const table = await owner.uploads('contacts.csv', 'email,nick\nimported@example.org,Imported\n');
  await recordsForm('contacts.import', { file: [table] });
  await owner.submits();
  await recordsForm('contacts.importNow', {});
}

/** Juno's service refuses first a contact list, then the key. */
async function recordFailures(context: RecordingContext): Promise<void> {
  const { exchange, recorder, bot } = context;
  const { owner, account, workspace } = context.tenants.juno;
  exchange.behaviour.contactsAdd = 'refuse-existing';
  await owner.types('/drop contacts add refused@example.org 46700000777');
  owner.closesAll();
  await owner.sees('contacts.onlyAdds');
  exchange.behaviour.contactsAdd = 'replace';
  await owner.types('/drop contacts');
  await owner.presses('contacts.add');
  await owner.seesForm('contacts.add');
  await owner.fills({ email: 'accepted@example.org', number: '46700000778' });
  await owner.submits();
  await owner.seesForm('contacts.outcome');
  const isAdded = () => account.contacts.local.some(({ email }) => email === 'accepted@example.org') || undefined;
  await until(isAdded, 'the contact');
  await until(async () => (await bot.services.queue.size()) === 0 || undefined, 'the outcome');
  recorder.recordClose(owner);

  const { apiKey } = account;
  account.apiKey = 'another key';
  const sql = 'select from dropline.polls where workspace = $1 and paused_at is not null';
  const isPaused = async () => (await bot.services.store.pool.query(sql, [workspace.id])).rowCount === 1 || undefined;
  await until(isPaused, 'the poll to pause');
  await owner.types('/drop status');
  await owner.sees('status.resume');
  recorder.recordButtons(owner);
  account.apiKey = apiKey;
}

async function recordLists(context: RecordingContext, bo: PersonDriver): Promise<void> {
  const { recorder, bot } = context;
  const { owner } = context.tenants.acme;
  await owner.types('/drop inbox');
  await owner.sees('inbox.files');
  recorder.recordButtons(owner);
  await owner.presses('inbox.files');
  await owner.sees('inbox.files-page');
  recorder.recordButtons(owner, '#files');
  await owner.types('/drop inbox');
  await owner.presses('inbox.page');
  await bot.untilInteractionsDone();
  recorder.recordButtons(owner);
  await owner.types('/drop history');
  await owner.sees('history.detail');
  recorder.recordButtons(owner);
  await owner.presses('history.page');
  await bot.untilInteractionsDone();
  await owner.types('/drop history past');
  await owner.sees('history.detail');
  recorder.recordButtons(owner);
  recorder.recordForm(owner);
  await owner.types('/drop audit');
  await owner.sees('audit.export');
  await owner.fills({ person: bo.person.id });
  recorder.recordForm(owner);
  recorder.recordButtons(owner);
  await owner.types('/drop help');
  await bot.untilInteractionsDone();
}

/** Bo enters files, recipients and a message without sending them. The owner stops at a review, too. */
async function saveDrafts(context: RecordingContext, bo: PersonDriver): Promise<void> {
  const { recorder, bot } = context;
  const { owner } = context.tenants.acme;
  bo.closesAll();
  const staged = ['staged-1.txt', 'staged-2.txt'].map((name) => ({ name, data: `content of ${name}` }));
  await bo.person.shares(staged, { in: 'Dropline' });
  await bo.sees('files.show');
  await bo.types('/drop receivers');
  await bo.seesForm('receivers.form');
  await bo.fills({ receivers: ['carl'] });
  recorder.recordForm(bo);
  await submitsForm(context, bo, 'receivers.form');
  await bo.types('/drop receivers');
  await bo.sees('receivers.clear');
  recorder.recordButtons(bo);
  await bo.types('/drop files');
  await bo.sees('files.out');
  recorder.recordButtons(bo);
  await bo.types('/drop send');
  await bo.seesForm('send.form');
  await bo.fills({ message: 'Words of a draft', timeToLive: '9' });
  await bot.untilInteractionsDone();
  recorder.recordForm(bo);
  recorder.recordClose(bo);
  await bo.submits();
  await bo.seesForm('send.confirm');
  recorder.recordForm(bo);
  await reviews(owner, { to: 'carl', files: ['withdrawn.txt'] });
  recorder.recordClose(owner);
}

/** Runs last, because a settings form contains the settings from when it was opened. */
async function recordSettings(context: RecordingContext): Promise<void> {
  const { recorder } = context;
  const { owner, workspace } = context.tenants.acme;
  await owner.types('/drop settings');
  await owner.sees('settings.open');
  recorder.recordButtons(owner);
  await opensSettings(owner, 'routes');
  await owner.sees('settings.route-remove');
  recorder.recordButtons(owner);
  const later = workspace.channel('later').id;
  const changes: Record<string, Record<string, string | string[]>> = {
    people: { send: 'admins' },
    sending: { receiverDomains: 'example.net' },
    inbox: { inboxChannel: later, delivery: 'private' },
    service: { requests: 'off' },
  };
  for (const [page, fields] of Object.entries(changes)) {
    await opensSettings(owner, page);
    await owner.seesForm(`settings.${page}`);
    await owner.fills(fields);
    recorder.recordForm(owner);
  }
  await opensRouteForm(owner);
  await owner.fills({ from: 'example.com', channel: later });
  recorder.recordForm(owner);
}
