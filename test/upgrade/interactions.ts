import { signIn } from '../../src/sandbox/sign-in.ts';
import { until } from '../helpers/features.ts';
import { Hand } from './hand.ts';
import type { Recorder } from './recorder.ts';
import type { Bot, Stage } from './stage.ts';
import { fillConnect, type Tenant, type Tenants } from './tenants.ts';

export interface Setting extends Stage {
  bot: Bot;
  recorder: Recorder;
  tenants: Tenants;
  timing: { batchMs: number };
}

/** Creates a history for every workspace, then opens everything there is to see. */
export async function interactionsOfAll(setting: Setting): Promise<void> {
  const { acme } = setting.tenants;
  const { workspace, owner, inbox } = acme;
  const bo = new Hand(setting.slack, workspace, workspace.addPerson({ name: 'Bo' }));
  const cleo = new Hand(setting.slack, workspace, workspace.addPerson({ name: 'Cleo' }));
  for (const channel of [workspace.channel('general'), inbox]) for (const { person } of [bo, cleo]) channel.add(person);
  for (const name of ['invoices', 'projects', 'later'])
    workspace.addChannel({ name, members: [owner.person, bo.person, 'app'] });

  await connectByPage(setting);
  await restrict(setting, bo, cleo);
  await receive(setting);
  await transfer(setting, bo);
  await requests(setting);
  await contacts(setting);
  await troubles(setting);
  await lists(setting, bo);
  await drafts(setting, bo);
  await settings(setting);
  const { grove, hazel, juno } = setting.tenants;
  for (const { owner: hand } of [acme, grove, hazel, juno]) {
    hand.closes();
    await hand.person.opens('Home of Dropline');
  }
  await setting.bot.settled();
}

const owned = async ({ bot }: Setting, hand: Hand, form: string) => {
  await hand.submits();
  await bot.settled();
  await until(() => hand.view()?.body.callback_id !== form || undefined, `${form}:\n${hand.person.screen()}`, 10_000);
};

/** Grove enters its key on a page. Hazel leaves the page and the key form open. */
async function connectByPage(setting: Setting): Promise<void> {
  const { recorder, bot } = setting;
  const { grove, hazel } = setting.tenants;
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
  recorder.keepForm(hazel.owner);
  await bot.settled();
}

export async function opensSettings(hand: Hand, page: string): Promise<void> {
  await hand.types('/drop settings');
  await hand.presses('settings.open', `"${page}"`);
}

async function saves(setting: Setting, hand: Hand, page: string, fields: Record<string, string | string[]>) {
  await opensSettings(hand, page);
  await hand.seesForm(`settings.${page}`);
  await hand.fills(fields);
  await owned(setting, hand, `settings.${page}`);
}

async function addsRoute(hand: Hand): Promise<void> {
  await opensSettings(hand, 'routes');
  await hand.presses('settings.route-new');
  await hand.seesForm('settings.route');
}

async function restrict(setting: Setting, bo: Hand, cleo: Hand): Promise<void> {
  const { acme, birch, grove } = setting.tenants;
  const { owner, workspace } = acme;
  const people = { admins: [cleo.person.id], request: 'admins', download: 'these', downloadPeople: [bo.person.id] };
  await saves(setting, owner, 'people', people);
  const times = { ttlUnit: 'days', ttlUsual: '7', ttlLongest: '30' };
  const domains = { receiverDomains: 'example.org\nexample.net', message: 'Kind regards, Acme' };
  await saves(setting, owner, 'sending', { ...times, ...domains, watchedChannels: [workspace.channel('projects').id] });
  // Enough entries for a second page of the audit log.
  for (let turn = 0; turn < 6; turn += 1)
    for (const delivery of ['private', 'thread']) await saves(setting, owner, 'inbox', { delivery });
  await saves(setting, owner, 'service', { requests: 'on' });
  await addsRoute(owner);
  await owner.fills({ from: 'example.net', channel: workspace.channel('invoices').id });
  await owned(setting, owner, 'settings.route');
  await saves(setting, birch.owner, 'service', { requests: 'on', contactsOnlyAdd: 'adds' });
  await saves(setting, grove.owner, 'inbox', { delivery: 'link' });
}

/** Items that are announced, routed, downloaded and gone. */
async function receive(setting: Setting): Promise<void> {
  const { exchange, bot, recorder } = setting;
  const { acme, grove } = setting.tenants;
  const { owner, workspace, account, inbox } = acme;
  const arrives = (user: string, sender: string, names: string[]) =>
    exchange.addInboxItem(user, { sender, files: names.map((name) => ({ name, data: `bytes of ${name}` })), ttl: 100 });
  const posted = (channel: Tenant['inbox'], words: string) =>
    until(() => channel.messages.find((message) => JSON.stringify(message).includes(words)), `${words} to be posted`);
  const gone = await arrives(account.user, 'person01@example.org', ['gone.txt']);
  const { ts } = await posted(inbox, 'gone.txt');
  account.inbox = account.inbox.filter(({ url }) => url !== gone.url);
  const goneText = () => inbox.messages.find((message) => message.ts === ts)?.edited;
  await until(goneText, 'the post of an item that is gone to change');
  const many = Array.from({ length: 25 }, (_, index) => `part-${index}.txt`);
  await arrives(account.user, 'person02@example.org', many);
  await arrives(account.user, 'dora@example.net', ['invoice.txt']);
  await posted(workspace.channel('invoices'), 'invoice.txt');
  await arrives(account.user, 'carl@example.org', ['report.txt']);
  await posted(inbox, 'report.txt');

  await owner.types('/drop inbox');
  await owner.presses('inbox.download', 'report.txt');
  await until(() => workspace.files.find(({ name }) => name === 'report.txt'), 'report.txt in Slack');
  await arrives(grove.account.user, 'carl@example.org', ['linked.txt']);
  await posted(grove.inbox, 'linked.txt');
  await grove.owner.types('/drop inbox');
  await grove.owner.presses('inbox.download', 'linked.txt');
  await bot.settled();
  grove.owner.closes();
  await grove.owner.sees('link.download');
  const link = grove.owner.elements().find(({ ref }) => ref.actionId === 'link.download');
  recorder.known.downloadPage = new URL(String(link?.element.url)).pathname;
}

export interface Sending {
  to: string;
  files: readonly string[];
}

/** Fills in an empty form up to the review. */
export async function reviews(hand: Hand, { to, files }: Sending): Promise<void> {
  await hand.types('/drop send');
  await hand.seesForm('send.form');
  const ids = await Promise.all(files.map((name) => hand.brings(name, `content of ${name}`)));
  await hand.fills({ receivers: [to], files: ids });
  await hand.submits();
  await hand.seesForm('send.confirm');
}

export async function sends(setting: Setting, hand: Hand, sending: Sending): Promise<void> {
  await reviews(hand, sending);
  await hand.submits();
  await setting.bot.settled();
}

export async function allEnded({ bot }: Setting, { workspace }: Tenant): Promise<void> {
  const sql = 'select from dropline.dispatches where workspace = $1 and told_at is null';
  const isDone = async () => (await bot.services.store.pool.query(sql, [workspace.id])).rowCount === 0 || undefined;
  await until(isDone, `the transfers of ${workspace.name}`);
}

async function transfer(setting: Setting, bo: Hand): Promise<void> {
  const { exchange, recorder } = setting;
  const { acme, grove, dune } = setting.tenants;
  const file = {
    type: 'text/plain',
    bytes: 1,
    sha256: '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881',
  };
  const old = { type: 'downloadfiles', ttl: 7, message: 'long ago' } as const;
  for (let day = 1; day < 10; day += 1) {
    const createdAt = Date.now() - day * 86_400_000;
    const receivers = [{ email: `person0${day}@example.org` }];
    const files = [{ ...file, name: `old-${day}.txt` }];
    acme.account.drops.push({ ...old, id: `old ${day}`, createdAt, expiresAt: createdAt, receivers, files, pages: [] });
  }
  await sends(setting, acme.owner, { to: 'carl', files: ['past.txt'] });
  await allEnded(setting, acme);

  // The second of two files does not fit on the disk.
  const first = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await sends(setting, bo, { to: 'carl', files: ['fits.txt', 'large.txt'] });
  await first.struck;
  // Twice, because the bot retries with another token.
  const full = exchange.addFault({ operation: 'upload', kind: 'disk-full', times: 2 });
  await first.release();
  await allEnded(setting, acme);
  full.remove();

  grove.account.uploads.push({ ...file, name: 'unexpected.doc' });
  await sends(setting, grove.owner, { to: 'carl', files: ['blocked.txt'] });
  await allEnded(setting, grove);
  await grove.owner.types('/drop files');
  await grove.owner.sees('files.remove');
  recorder.keep(grove.owner);
  await grove.owner.types('/drop disconnect');
  await grove.owner.sees('connect.leave');
  recorder.keep(grove.owner);

  // The uploads disappear while the outcome is open, so it stays unknown.
  const reset = exchange.addFault({ operation: 'createdrop', kind: 'reset-before' });
  await sends(setting, dune.owner, { to: 'carl', files: ['unknown.txt'] });
  await reset.struck;
  dune.account.uploads = [];
  await allEnded(setting, dune);
  await dune.owner.types('/drop status');
  await dune.owner.sees('status.release');
  recorder.keep(dune.owner);
}

/** Fills in an empty form up to the review. The recorder, if given, records both. */
export async function asks(hand: Hand, to: string, recorder?: Recorder): Promise<void> {
  await hand.types('/drop request');
  await hand.seesForm('request.form');
  await hand.fills({ receivers: [to], timeToLive: '5', message: `Files from ${to}, please` });
  recorder?.keepForm(hand);
  await hand.submits();
  await hand.seesForm('request.confirm');
  recorder?.keepForm(hand);
}

async function requests(setting: Setting): Promise<void> {
  const { exchange } = setting;
  const { acme, birch } = setting.tenants;
  await asks(birch.owner, 'carl');
  await birch.owner.submits();
  await allEnded(setting, birch);
  const files = [{ name: 'reply.txt', data: 'the reply' }];
  await exchange.addInboxItem(birch.account.user, { sender: 'carl@example.org', files, ttl: 100 });
  const replied = () => birch.owner.messages().find(({ message }) => JSON.stringify(message).includes('reply.txt'));
  await until(replied, 'the reply');
  exchange.addFault({ operation: 'givedrop', kind: 'answer', answer: { status: 403, body: 'no' } });
  await asks(birch.owner, 'dora');
  await birch.owner.submits();
  await allEnded(setting, birch);
  setting.recorder.keepMessages(birch.owner, ['request.open']);
  await asks(acme.owner, 'person03', setting.recorder);
}

async function contacts(setting: Setting): Promise<void> {
  const { bot, recorder } = setting;
  const { owner } = setting.tenants.acme;
  const lists = async (words = '') => {
    await owner.types(`/drop contacts ${words}`.trim());
    await owner.sees('contacts.menu');
  };
  const keepsForm = async (form: string, fields: Record<string, string | string[]>, variant = '') => {
    await owner.seesForm(form);
    await owner.fills(fields);
    recorder.keepForm(owner, variant);
  };
  await lists();
  await owner.presses('contacts.page');
  await bot.settled();
  recorder.keep(owner);
  await owner.fills({ query: 'person04' });
  recorder.keepForm(owner);
  await lists('person05');
  recorder.keep(owner);
  await owner.presses('contacts.add');
  const typed = {
    email: 'new@example.org',
    number: '46700000999',
    nick: 'New',
    knownGroups: ['board'],
    groups: 'fresh',
  };
  await keepsForm('contacts.add', typed);
  await lists('person06');
  await owner.presses('contacts.menu', 'edit');
  await keepsForm('contacts.edit', { nick: 'Renamed' });
  await lists('person07');
  await owner.presses('contacts.menu', 'groups');
  await keepsForm('contacts.edit', { groups: 'extra' }, '#groups');
  await lists('person08');
  await owner.presses('contacts.menu', 'remove');
  await keepsForm('contacts.remove', {});

  await lists();
  await owner.presses('contacts.groups');
  await owner.presses('contacts.groupsPage');
  await bot.settled();
  recorder.keep(owner);
  await owner.presses('contacts.newGroup');
  await keepsForm('contacts.newGroup', { group: 'newcomers', members: ['emil'] });
  await lists();
  await owner.presses('contacts.groups');
  await owner.presses('contacts.group', 'everyone');
  await owner.sees('contacts.leave');
  await owner.presses('contacts.membersPage');
  await bot.settled();
  recorder.keep(owner);
  await keepsForm('contacts.join', { members: ['carl'] });

  await lists();
  await owner.presses('contacts.import');
  const table = await owner.brings('contacts.csv', 'email,nick\nimported@example.org,Imported\n');
  await keepsForm('contacts.import', { file: [table] });
  await owner.submits();
  await keepsForm('contacts.importNow', {});
}

/** Juno's service refuses first a contact list, then the key. */
async function troubles(setting: Setting): Promise<void> {
  const { exchange, recorder, bot } = setting;
  const { owner, account, workspace } = setting.tenants.juno;
  exchange.behaviour.contactsAdd = 'refuse-existing';
  await owner.types('/drop contacts add refused@example.org 46700000777');
  owner.closes();
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
  recorder.keepClosing(owner);

  const { apiKey } = account;
  account.apiKey = 'another key';
  const sql = 'select from dropline.polls where workspace = $1 and paused_at is not null';
  const isPaused = async () => (await bot.services.store.pool.query(sql, [workspace.id])).rowCount === 1 || undefined;
  await until(isPaused, 'the poll to pause');
  await owner.types('/drop status');
  await owner.sees('status.resume');
  recorder.keep(owner);
  account.apiKey = apiKey;
}

async function lists(setting: Setting, bo: Hand): Promise<void> {
  const { recorder, bot } = setting;
  const { owner } = setting.tenants.acme;
  await owner.types('/drop inbox');
  await owner.sees('inbox.files');
  recorder.keep(owner);
  await owner.presses('inbox.files');
  await owner.sees('inbox.files-page');
  recorder.keep(owner, '#files');
  await owner.types('/drop inbox');
  await owner.presses('inbox.page');
  await bot.settled();
  recorder.keep(owner);
  await owner.types('/drop history');
  await owner.sees('history.detail');
  recorder.keep(owner);
  await owner.presses('history.page');
  await bot.settled();
  await owner.types('/drop history past');
  await owner.sees('history.detail');
  recorder.keep(owner);
  recorder.keepForm(owner);
  await owner.types('/drop audit');
  await owner.sees('audit.export');
  await owner.fills({ person: bo.person.id });
  recorder.keepForm(owner);
  recorder.keep(owner);
  await owner.types('/drop help');
  await bot.settled();
}

/** Bo enters files, recipients and a message and does not send them. */
async function drafts(setting: Setting, bo: Hand): Promise<void> {
  const { recorder, bot } = setting;
  const { owner } = setting.tenants.acme;
  bo.closes();
  const staged = ['staged-1.txt', 'staged-2.txt'].map((name) => ({ name, data: `content of ${name}` }));
  await bo.person.shares(staged, { in: 'Dropline' });
  await bo.sees('files.show');
  await bo.types('/drop receivers');
  await bo.seesForm('receivers.form');
  await bo.fills({ receivers: ['carl'] });
  recorder.keepForm(bo);
  await owned(setting, bo, 'receivers.form');
  await bo.types('/drop receivers');
  await bo.sees('receivers.clear');
  recorder.keep(bo);
  await bo.types('/drop files');
  await bo.sees('files.out');
  recorder.keep(bo);
  await bo.types('/drop send');
  await bo.seesForm('send.form');
  await bo.fills({ message: 'Words of a draft', timeToLive: '9' });
  await bot.settled();
  recorder.keepForm(bo);
  recorder.keepClosing(bo);
  await bo.submits();
  await bo.seesForm('send.confirm');
  recorder.keepForm(bo);
  await reviews(owner, { to: 'carl', files: ['withdrawn.txt'] });
  recorder.keepClosing(owner);
}

/** Runs last, because a settings form carries the settings from when it was opened. */
async function settings(setting: Setting): Promise<void> {
  const { recorder } = setting;
  const { owner, workspace } = setting.tenants.acme;
  await owner.types('/drop settings');
  await owner.sees('settings.open');
  recorder.keep(owner);
  await opensSettings(owner, 'routes');
  await owner.sees('settings.route-remove');
  recorder.keep(owner);
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
    recorder.keepForm(owner);
  }
  await addsRoute(owner);
  await owner.fills({ from: 'example.com', channel: later });
  recorder.keepForm(owner);
}
