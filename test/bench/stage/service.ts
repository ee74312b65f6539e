/**
 * The reference service in its own process, with its files in a folder: `service.js <folder>`. Answers calls from its
 * parent.
 */
import { startExchangeServer } from '../../../src/sandbox/exchange/index.ts';
import { answerAsks } from './asks.ts';

const server = await startExchangeServer({ filesDir: process.argv[2] ?? '' });
const operations = ['contacts_read', 'get_files', 'get_history', 'receivers_set', 'index'] as const;

const answers = {
  url: () => server.url,
  addAccount({ user, apiKey, contacts }: { user: string; apiKey: string; contacts: number }): void {
    const account = server.addAccount({ user, apiKey });
    account.contacts.local = Array.from({ length: contacts }, (_, number) => ({
      email: `receiver-${number}@example.org`,
      number: String(46_700_000_000 + number),
      language: 'en',
      nick: `Receiver ${number}`,
      groups: number % 10 === 0 ? [`group-${number % 100}`] : [],
    }));
  },
  /** Adds one item with one small file from each of these senders. */
  async arrive({ user, senders }: { user: string; senders: string[] }): Promise<void> {
    for (const sender of senders) {
      await server.addInboxItem(user, { sender, files: [{ name: `from-${sender}.txt`, data: `from ${sender}` }] });
    }
  },
  /** Puts the last transfer of one account into the inbox of another, as if its recipient had sent it back. */
  async comesBack({ from, to, sender }: { from: string; to: string; sender: string }): Promise<{ url: string }> {
    const files = server.account(from).drops.at(-1)?.files ?? [];
    const item = await server.addInboxItem(to, { sender, files: [{ name: 'placeholder', data: 'x' }] });
    item.files = files;
    return { url: item.url };
  },
  dispatched: (user: string) => server.account(user).drops.length,
  lastSent: (user: string) => server.account(user).drops.at(-1)?.files[0],
  polled: () => server.calls.filter(({ operation }) => operation === 'get_history').length,
  uploaded: (user: string) => server.account(user).uploads.map(({ bytes }) => bytes),
  forgetUploads(user: string): void {
    server.account(user).uploads = [];
  },
  /** From now on, accepts every call and answers none. */
  hang(): void {
    for (const operation of operations) server.addFault({ operation, kind: 'hang', times: 1e9 });
  },
};
export type ServiceAnswers = typeof answers;

answerAsks(answers);
process.send?.('ready');
