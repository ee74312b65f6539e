import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { connect } from '../../src/features/account/connect/operations.ts';
import { fileIdOf, itemIdOf } from '../../src/features/common/ids.ts';
import { editsIn } from '../../src/features/contacts/edit/repository.ts';
import { typedContact } from '../../src/features/contacts/list/fields.ts';
import { contactId, groupId, versionOf } from '../../src/features/contacts/list/ids.ts';
import { contactsOf } from '../../src/features/contacts/list/operations.ts';
import { readHistoryPage } from '../../src/features/history/operations.ts';
import { pollOnce } from '../../src/features/inbox/poll/operations.ts';
import { claimPolls } from '../../src/features/inbox/poll/repository.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import { changeDraft } from '../../src/features/staging/repository.ts';
import { setHold } from '../../src/features/transfers/holds/repository.ts';
import { transfersIn } from '../../src/features/transfers/repository.ts';
import { prepareRequest } from '../../src/features/transfers/request/prepare.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/send/operations.ts';
import { filesOf } from '../../src/features/transfers/transfer.ts';
import type { Account } from '../../src/sandbox/exchange/index.ts';
import type { Channel, Person, Workspace } from '../../src/sandbox/slack/index.ts';
import { accountKey } from '../../src/store/index.ts';
import type { AppSetup } from './app.ts';
import { sha256 } from './features.ts';
import { inboxChannel } from './inbox-channels.ts';
import { requestFiles } from './requests.ts';
import { insertTransfer, requestContent, sendContent, takeSteps } from './transfers.ts';

interface Owner {
  workspace: Workspace;
  /** An admin of the workspace. */
  person: Person;
  /** A channel with the bot in it. */
  channel: Channel;
  account: Account;
  /** The name of the account's desk, if the workspace is connected to another account. */
  desk?: string;
}

export type WorkspaceIds = Awaited<ReturnType<typeof fillWorkspace>>;

/**
 * Fills a workspace with one of everything that has an id, and returns the ids. All texts contain `word`. Call this
 * only while no worker runs, so that queued jobs stay queued.
 */
export async function fillWorkspace({ services, exchange }: AppSetup, owner: Owner, word: string) {
  const { workspace, person, channel, account, desk } = owner;
  const { store } = services;
  const admin = { workspace: workspace.id, person: person.id };
  const email = `${word}@example.org`;
  const group = `${word} group`;
  account.contacts.local = [{ email, number: '46700000001', nick: word, groups: [group] }];
  account.drops.push({
    id: word,
    type: 'downloadfiles',
    createdAt: 1_700_000_000_000,
    expiresAt: Date.now() + 1e9,
    ttl: 7,
    message: word,
    files: [{ name: `${word}.pdf`, type: 'text/plain', bytes: 1, sha256: sha256('x') }],
    receivers: [{ email }],
    pages: [],
  });
  account.uploads.push({ name: `${word}.doc`, type: 'text/plain', bytes: 1, sha256: sha256('x') });
  const { url } = await exchange.addInboxItem(account.user, { sender: email, files: [{ name: word, data: word }] });
  const login = { baseUrl: exchange.url, username: account.user, apiKey: account.apiKey };
  const connected = await connect(services, admin, { ...login, ...(desk !== undefined && { desk }) });
  const actor = desk === undefined ? admin : { ...admin, account: connected.account };
  await changeSettings(services, actor, {
    requests: true,
    inboxChannels: [inboxChannel(channel.id, { senders: [email], everythingElse: true, takeAndDone: true })],
  });
  for (const claim of await claimPolls(store.pool, 10)) {
    await pollOnce(services, claim, 60_000, new AbortController().signal);
  }

  await person.shares([{ name: `${word}.txt`, data: word }], { in: `#${channel.name}` });
  const file = workspace.files.at(-1)?.id ?? '';
  await changeDraft(services, actor, () => ({ staged: [file] }));
  const draft = { recipients: [email], groups: [], files: [file], message: word, expiresAfter: 7 };
  const { reviewId } = await prepareSend(services, actor, draft);
  const { id: queued } = await confirmSend(services, actor, (await prepareSend(services, actor, draft)).reviewId);
  const transfers = transfersIn(store);
  const serviceAccount = connected.account;
  const transfer = await transfers.read(queued);
  if (transfer === undefined) throw new Error('no transfer is queued');
  const { recipients, expiresAfter, message } = transfer;
  const content = sendContent({ recipients, expiresAfter, message, files: [...filesOf(transfer)] });
  const own = { ...actor, account: serviceAccount };
  const result = { code: 'unexpected-files', message: word, names: [`${word}.doc`] };
  const stopped = await insertTransfer(store, { ...own, content, progress: { result } });
  await takeSteps(store, stopped, ['failed']);

  const approval = { rules: ['every' as const], askedAt: Date.now(), until: Date.now() + 1e9 };
  const unapproved = await insertTransfer(store, {
    ...own,
    person: 'U0COLLEAGUE',
    content,
    approval,
    state: 'approval',
  });
  await changeSettings(services, actor, { approvers: [person.id] });

  const { reviewId: reviewedRequest } = await prepareRequest(services, actor, draft);
  const queuedRequest = await requestFiles(services, actor, draft);
  const checklist = { message: word, points: [`${word} point`] };
  const asked = requestContent({ recipients, expiresAfter, message, checklist });
  const endedRequest = await insertTransfer(store, { ...own, content: asked });
  await takeSteps(store, endedRequest, ['failed']);
  const imported = randomUUID();
  const imports = store.collection({
    kind: 'contact-import',
    schema: z.object({ person: z.string(), contacts: z.array(z.unknown()) }),
  });
  await imports.set(workspace.id, { person: person.id, contacts: [{ email: `new-${email}` }] }, { name: imported });
  const typed = typedContact.parse({ email: `typed-${email}` });
  const edit = await editsIn(store).add(store.pool, {
    ...actor,
    account: serviceAccount,
    change: { kind: 'remove', emails: [email] },
    origin: { position: '', about: word, typed },
  });
  await setHold(store.pool, { id: stopped, workspace: workspace.id, account: serviceAccount }, 'unknown');
  const [contact] = (await contactsOf(services, actor, { fresh: true })).local;
  if (contact === undefined) throw new Error('the contact was not found');
  return {
    desk: accountKey(connected.account),
    person: person.id,
    channel: channel.id,
    contact: contactId(email),
    version: versionOf(contact),
    group: groupId(group),
    file,
    upload: `${word}.doc`,
    reviewId,
    queued,
    stopped,
    unapproved,
    reviewedRequest,
    queuedRequest,
    endedRequest,
    imported,
    edit,
    item: itemIdOf(url),
    itemFile: fileIdOf(word),
    historyEntry: (await readHistoryPage(services, actor)).entries[0]?.id ?? '',
  };
}
