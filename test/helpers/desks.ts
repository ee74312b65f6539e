import { connect } from '../../src/features/account/connect/operations.ts';
import { type PollState, pollState } from '../../src/features/inbox/poll/repository.ts';
import type { Account, InboxItem } from '../../src/sandbox/exchange/index.ts';
import type { Channel, Person } from '../../src/sandbox/slack/index.ts';
import type { Desk, Store } from '../../src/store/index.ts';
import type { AppSetup } from './app.ts';
import { apiKey } from './exchange.ts';
import { until } from './features.ts';
import { ignoreGuests } from './inbox-channels.ts';

/** A workspace's only account. */
export const deskOf = async (
  { credentials }: Pick<Store, 'credentials'>,
  workspace: string,
): Promise<Required<Desk>> => ({
  workspace,
  account: (await credentials.accountOf({ workspace })) ?? '',
});

/** How the polls of a workspace's only account stand. */
export const pollStateOf = async (store: Store, workspace: string): Promise<PollState | undefined> =>
  pollState(store.pool, await deskOf(store, workspace));

export const legalUser = 'legal@example.com';
const legalContact = { email: 'lena@law.example', number: '46700000009', nick: 'Lena', groups: [] };

/** The second desk of a workspace: its private channel and its account on the service. */
export interface LegalDesk {
  desk: Required<Desk>;
  legal: Channel;
  legalAccount: Account;
  /** Adds files from Lena to the inbox of Legal, and waits until they are posted. */
  arrivesInLegal(files: readonly string[]): Promise<InboxItem>;
}

/** Connects a second account to the workspace: Legal, whose members are these people. */
export async function addLegal(
  { acme, anna, services, exchange }: AppSetup,
  members: readonly Person[],
): Promise<LegalDesk> {
  const legalAccount = exchange.addAccount({ user: legalUser, apiKey });
  legalAccount.contacts.local = [legalContact];
  const legal = acme.addChannel({ name: 'legal', kind: 'private', members: [...members, 'app'] });
  await ignoreGuests(services, acme.id, legal.id);
  const login = { baseUrl: exchange.url, username: legalUser, apiKey };
  const admin = { workspace: acme.id, person: anna.id };
  const { account } = await connect(services, admin, {
    ...login,
    inboxChannel: legal.id,
    expiryUnit: 'days',
    desk: 'Legal',
  });
  // What is there before the first poll isn't announced.
  const isPolled = () => legal.messages.some(({ text }) => text.startsWith('New files will be posted')) || undefined;
  await until(isPolled, 'the first poll of Legal');
  return {
    desk: { workspace: acme.id, account },
    legal,
    legalAccount,
    async arrivesInLegal(files) {
      const item = exchange.addInboxItem(legalUser, {
        sender: legalContact.email,
        files: files.map((name) => ({ name, data: `bytes of ${name}` })),
      });
      const isPosted = () => legal.messages.some(({ text }) => text.includes(String(files[0]))) || undefined;
      await until(isPosted, 'a post in #legal');
      return item;
    },
  };
}
