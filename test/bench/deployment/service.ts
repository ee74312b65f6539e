/**
 * The reference service in its own process, with its files in a folder: `service.js <folder>`. Answers calls from its
 * parent.
 */
import { startExchangeServer } from '../../../src/sandbox/exchange/index.ts';
import { contactsOf } from '../contacts-body.ts';
import { serveCalls } from './remote-calls.ts';

const server = await startExchangeServer({ filesDir: process.argv[2] ?? '' });
const hangingOperations = ['contacts_read', 'get_files', 'get_history', 'receivers_set', 'index'] as const;

const handlers = {
  url: () => server.url,
  addAccount({ user, apiKey, contacts }: { user: string; apiKey: string; contacts: number }): void {
    const account = server.addAccount({ user, apiKey });
    account.contacts.local = contactsOf(contacts);
  },
  /** Replaces the account's history with this many transfers. */
  replaceTransfers({ user, count }: { user: string; count: number }): void {
    server.account(user).drops = Array.from({ length: count }, (_, number) => ({
      id: `d${number}`,
      type: 'downloadfiles',
      createdAt: Date.UTC(2024, 0, 1) + number * 1_000,
      expiresAt: Date.UTC(2024, 0, 8) + number * 1_000,
      ttl: 7,
      message: 'Here are the files "you" asked for.\nBest regards',
      files: ['report', 'appendix'].map((name) => ({ name: `${name}-${number}.pdf`, type: '', bytes: 1, sha256: '' })),
      receivers: [{ email: `receiver-${number}@example.org`, number: '46701234567', nick: `Recipient ${number}` }],
      pages: [],
    }));
  },
  /** Adds one item with one small file from each of these senders. */
  async addItems({ user, senders }: { user: string; senders: string[] }): Promise<void> {
    for (const sender of senders) {
      await server.addInboxItem(user, { sender, files: [{ name: `from-${sender}.txt`, data: `from ${sender}` }] });
    }
  },
  /** Puts the last transfer of one account into the inbox of another, as if its recipient had sent it back. */
  async returnLastTransfer({
    from,
    to,
    sender,
  }: {
    from: string;
    to: string;
    sender: string;
  }): Promise<{ url: string }> {
    const files = server.account(from).drops.at(-1)?.files ?? [];
    const item = await server.addInboxItem(to, { sender, files: [{ name: 'placeholder', data: 'x' }] });
    item.files = files;
    return { url: item.url };
  },
  transferCount: (user: string) => server.account(user).drops.length,
  lastSentFile: (user: string) => server.account(user).drops.at(-1)?.files[0],
  pollCount: () => server.calls.filter(({ operation }) => operation === 'get_history').length,
  uploadSizes: (user: string) => server.account(user).uploads.map(({ bytes }) => bytes),
  clearUploads(user: string): void {
    server.account(user).uploads = [];
  },
  /** Makes the service accept later calls of `hangingOperations` and answer none. */
  hang(): void {
    for (const operation of hangingOperations) server.addFault({ operation, kind: 'hang', times: 1e9 });
  },
};
export type ServiceHandlers = typeof handlers;

serveCalls(handlers);
process.send?.('ready');
