import { type Exchange, isExchangeError, parseAccount } from '../../../exchange/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import type { FieldErrors } from '../../../lib/errors.ts';
import { type Credentials, type Desk, inTransaction, nameIn } from '../../../store/index.ts';
import { audited } from '../../common/audited.ts';
import { changeConnection } from '../../common/connection.ts';
import { foldText } from '../../common/search/search.ts';
import type { Actor, ServiceLogin, Services } from '../../common/services.ts';
import { itemsIn } from '../../inbox/items/repository.ts';
import { startPolling } from '../../inbox/poll/repository.ts';
import { pausesIn } from '../../pause/repository.ts';
import { describeChanges, withLastChange } from '../../settings/changes.ts';
import { addedInboxChannels, withEverythingElseIn } from '../../settings/inbox-channels.ts';
import { queueAdminNotice, queueChannelChecks, queueChannelNotices } from '../../settings/jobs.ts';
import { validateSettings } from '../../settings/operations.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { peopleWhoSetUp, type Settings, updateSettingsWithin } from '../../settings/repository.ts';
import { weakenings } from '../../settings/weakening.ts';
import { transfersIn } from '../../transfers/repository.ts';
import { transferStates, unqueuedStates } from '../../transfers/states.ts';
import {
  accountConnected,
  deskNameTaken,
  keyMissing,
  loginRefused,
  nameUnusable,
  tooManyDesks,
  transferInProgress,
} from '../errors.ts';
import type { ConnectDraft } from './repository.ts';

/** Tests URL, account and key. If the service accepts them, stores them and the chosen settings, and starts polling. */
export function connect(
  services: Services,
  { account: current, ...person }: Actor,
  draft: ConnectDraft,
): Promise<{ account: string }> {
  const { baseUrl, username, apiKey, inboxChannel: channel, desk: name, replaces = current, ...chosen } = draft;
  const actor: Actor = name === undefined ? { ...person, account: replaces } : person;
  return audited(services, actor, 'connect', async ({ addDetails, record }) => {
    addDetails({
      ...(name !== undefined && { desk: name }),
      baseUrl,
      username,
      channels: channel === undefined ? [] : [{ channel }],
    });
    const { store } = services;
    const { workspace, person } = actor;
    // To connect another account, an admin needn't belong to the others.
    const right = name === undefined ? 'admin' : 'desks';
    const [someAccount] = (await store.credentials.list(workspace)).keys();
    const admin = { ...actor, account: actor.account ?? someAccount };
    await expectAllowed(services, admin, right);
    const exchange = clientFor(services, workspace, draft);
    const { account } = exchange;
    const replaced = name === undefined ? await store.credentials.accountOf(actor) : undefined;
    if (replaced !== account) await expectNew(services, { workspace, account }, name);
    if (replaced !== undefined && replaced !== account) await expectIdle(services, { workspace, account: replaced });
    await exchange.signIn().catch((error: unknown) => {
      throw withField(error, baseUrl);
    });
    await exchange.readContacts();
    // Check again: the service can take minutes to answer.
    await expectAllowed(services, admin, right);
    let channels: string[] = [];
    const withDraft = (settings: Settings) => {
      const withChosen = { ...settings, ...chosen };
      const next = channel === undefined ? withChosen : validateSettings(withEverythingElseIn(withChosen, channel));
      channels = addedInboxChannels(settings, next);
      addDetails({ changed: describeChanges(settings, next) });
      return withLastChange(settings, next, actor);
    };
    await changeConnection(services, workspace, async () => {
      const connected = await store.credentials.list(workspace);
      const before = replaced === undefined ? undefined : connected.get(replaced);
      const people = await peopleWhoSetUp(store, workspace);
      const earlier = before === undefined ? [] : [...(before.connectedBefore ?? []), before.connectedBy];
      const connectedBefore = [...new Set(earlier)].slice(0, bounds.adminsNotified);
      const login = { baseUrl, username, apiKey, name: name ?? before?.name };
      const stored = { ...login, connectedBy: person, connectedAt: Date.now(), connectedBefore };
      const isOther = connected.size > 0 && replaced !== account;
      const other = isOther ? [[`connected another account: ${username} at ${baseUrl}`]] : [];
      await inTransaction(store.pool, async (client) => {
        await store.credentials.set(workspace, stored, { replaced, within: client });
        // A desk stays one when it is the last: its files don't become everyone's.
        if (name !== undefined)
          for (const one of connected.values())
            await store.credentials.set(workspace, { ...one, name: nameIn(one) }, { within: client });
        const desk = { workspace, account, replaced };
        await updateSettingsWithin(client, services, desk, withDraft, async (_, settings, after) => {
          // The first connection weakens nothing.
          const hasItems = isOther && (await itemsIn(store, workspace, account).unassign(client));
          const anew = hasItems
            ? [['assigned the files that were received before to the channels of their senders']]
            : [];
          const changes = connected.size === 0 ? [] : [...other, ...anew, ...weakenings(settings, after)];
          await queueAdminNotice(
            client,
            services,
            { ...actor, account: undefined },
            [...people, ...settings.admins],
            changes,
          );
        });
        if (replaced !== undefined) await pausesIn(store).moveTo(client, desk, replaced);
        const isFirstPoll = await startPolling(client, desk, replaced);
        await record(client);
        // The summary of the first poll says the same.
        if (!isFirstPoll) await queueChannelNotices(services, { ...actor, account }, channels, client);
        if (channels.length > 0) await queueChannelChecks(services, { workspace, account }, { within: client });
      });
    });
    return { account };
  });
}

function clientFor({ connectTo, callLimitOf }: Services, workspace: string, login: ServiceLogin): Exchange {
  if (login.apiKey.trim() === '') throw keyMissing();
  try {
    return connectTo(login, callLimitOf?.(workspace));
  } catch (error) {
    throw withField(error, login.baseUrl);
  }
}

/** Checks the format of the URL and the account, without asking the service. */
export function checkLogin(baseUrl: string, username: string, errors: FieldErrors): void {
  const check = (url: string, user: string) =>
    errors.check(() => {
      try {
        parseAccount(url, user);
      } catch (error) {
        throw withField(error, url);
      }
    });
  check(baseUrl, 'x');
  check('https://files.example.com', username);
}

/** Adds the form field that the error is about: URL, account or key. */
function withField(error: unknown, baseUrl: string): unknown {
  if (!isExchangeError(error)) return error;
  const isAccountInvalid = error.code === 'invalid-input' && isValidUrl(baseUrl);
  const field = error.code === 'credentials-refused' ? 'apiKey' : isAccountInvalid ? 'username' : 'baseUrl';
  return loginRefused(error, field);
}

function isValidUrl(baseUrl: string): boolean {
  try {
    parseAccount(baseUrl, 'x');
    return true;
  } catch {
    return false;
  }
}

/** Rejects if the account is connected already, or the workspace can't have another desk with this name. */
async function expectNew({ store }: Services, { workspace, account }: Required<Desk>, name?: string): Promise<void> {
  const connected = await store.credentials.list(workspace);
  if (connected.has(account)) throw accountConnected();
  if (name === undefined) return;
  if (connected.size >= bounds.desks) throw tooManyDesks();
  expectFreeName(connected, name);
}

/** Rejects if another account has this name. */
export function expectFreeName(others: ReadonlyMap<string, Credentials>, name: string): void {
  if ([...others.values()].some((one) => foldText(nameIn(one)) === foldText(name))) throw deskNameTaken(name);
}

const maxNameChars = 40;

/** A name as it was typed. Slack could show some characters as something else. */
export function expectDeskName(typed: string): string {
  const name = typed.trim().replace(/\s+/g, ' ');
  if (name === '' || name.length > maxNameChars || /[<>&\p{Cc}\p{Bidi_Control}]/u.test(name)) throw nameUnusable();
  return name;
}

async function expectIdle({ store }: Services, { workspace, account }: Required<Desk>): Promise<void> {
  // The others have nothing on the account.
  const states = transferStates.filter((state) => !unqueuedStates.includes(state));
  const active = await transfersIn(store).listActiveStates({ workspace, account, states, limit: 1 });
  if (active.length === 0) return;
  throw transferInProgress();
}
