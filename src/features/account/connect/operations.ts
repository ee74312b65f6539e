import { type Exchange, isExchangeError, parseAccount } from '../../../exchange/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import type { FieldErrors } from '../../../lib/errors.ts';
import { inTransaction } from '../../../store/index.ts';
import { audited } from '../../common/audited.ts';
import { changeConnection } from '../../common/connection.ts';
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
import { keyMissing, loginRefused, transferInProgress } from '../errors.ts';
import type { ConnectDraft } from './repository.ts';

/** Tests URL, account and key. If the service accepts them, stores them and the chosen settings, and starts polling. */
export function connect(services: Services, actor: Actor, draft: ConnectDraft): Promise<{ account: string }> {
  return audited(services, actor, 'connect', async ({ addDetails, record }) => {
    const { baseUrl, username, apiKey, inboxChannel: channel, ...chosen } = draft;
    addDetails({ baseUrl, username, channels: channel === undefined ? [] : [{ channel }] });
    await expectAllowed(services, actor, 'admin');
    const { workspace, person } = actor;
    const exchange = clientFor(services, workspace, draft);
    const { account } = exchange;
    const accountBefore = await services.store.credentials.accountOf(workspace);
    if (accountBefore !== undefined && accountBefore !== account) await expectIdle(services, workspace);
    await exchange.signIn().catch((error: unknown) => {
      throw withField(error, baseUrl);
    });
    await exchange.readContacts();
    // Check again: the service can take minutes to answer.
    await expectAllowed(services, actor, 'admin');
    let channels: string[] = [];
    const withDraft = (settings: Settings) => {
      const withChosen = { ...settings, ...chosen };
      const next = channel === undefined ? withChosen : validateSettings(withEverythingElseIn(withChosen, channel));
      channels = addedInboxChannels(settings, next);
      addDetails({ changed: describeChanges(settings, next) });
      return withLastChange(settings, next, actor);
    };
    const { store } = services;
    await changeConnection(services, workspace, async () => {
      const before = await store.credentials.get(workspace);
      const people = await peopleWhoSetUp(store, workspace);
      const earlier = before === undefined ? [] : [...(before.connectedBefore ?? []), before.connectedBy];
      const connectedBefore = [...new Set(earlier)].slice(0, bounds.adminsNotified);
      const stored = { baseUrl, username, apiKey, connectedBy: person, connectedAt: Date.now(), connectedBefore };
      const isOther = before !== undefined && services.connectTo(before).account !== account;
      const other = isOther ? [[`connected another account: ${username} at ${baseUrl}`]] : [];
      await inTransaction(store.pool, async (client) => {
        await store.credentials.set(workspace, stored, client);
        await updateSettingsWithin(client, services, { workspace, account }, withDraft, async (_, settings, after) => {
          // The first connection weakens nothing.
          const hasItems = isOther && (await itemsIn(store, workspace, account).unassign(client));
          const anew = hasItems
            ? [['assigned the files that were received before to the channels of their senders']]
            : [];
          const changes = before === undefined ? [] : [...other, ...anew, ...weakenings(settings, after)];
          await queueAdminNotice(client, services, actor, [...people, ...settings.admins], changes);
        });
        await pausesIn(store).moveTo(client, workspace, account);
        const isFirstPoll = await startPolling(client, workspace, account);
        await record(client);
        // The summary of the first poll says the same.
        if (!isFirstPoll) await queueChannelNotices(services, actor, channels, client);
        if (channels.length > 0) await queueChannelChecks(services, workspace, { within: client });
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

async function expectIdle({ store }: Services, workspace: string): Promise<void> {
  // The others have nothing on the account.
  const states = transferStates.filter((state) => !unqueuedStates.includes(state));
  const active = await transfersIn(store).listActiveStates({ workspace, states, limit: 1 });
  if (active.length === 0) return;
  throw transferInProgress();
}
