import { connect } from '../../src/features/account/connect/operations.ts';
import type { InboxChannel } from '../../src/features/settings/inbox-channels.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import type { Settings } from '../../src/features/settings/repository.ts';
import type { InboxItem } from '../../src/sandbox/exchange/index.ts';
import type { Channel } from '../../src/sandbox/slack/index.ts';
import { type AppSetup, type AppSetupOptions, setUpApp } from './app.ts';
import { apiKey, user } from './exchange.ts';
import { changeInboxChannel, ignoreGuests } from './inbox-channels.ts';
import type { TestPostgres } from './postgres.ts';

export interface InboxApp extends AppSetup {
  /** The channel for new files. All people of the setup are members. */
  inbox: Channel;
  /** Adds files from a sender to the service's inbox. A file without content gets a text with its name. */
  addItem(sender: string, files: (string | { name: string; data: string | Uint8Array })[]): Promise<InboxItem>;
  /** Changes properties of the inbox channel as Anna. */
  changeInbox(changes: Partial<InboxChannel>): Promise<void>;
  /** Changes the settings as Anna. */
  changeSettings(changes: Partial<Settings>): Promise<void>;
  /** Lists all audit entries, oldest first: person, action and outcome. */
  audited(): Promise<{ person: string; action: string; outcome: string }[]>;
}

/** Lists the messages of a channel, without the notice that an admin chose it. */
export const announcementsIn = ({ messages }: Channel) =>
  messages.filter(({ text }) => !text.startsWith('An admin set up'));

export interface InboxAppOptions extends AppSetupOptions {
  /** Runs before the workspace is connected, for example to start a worker process. */
  beforeConnect?(app: AppSetup): Promise<void>;
}

/** Sets up the bot in a workspace that announces new files in #inbox and counts expiry in days. */
export async function setUpInboxApp(postgres: TestPostgres, options: InboxAppOptions = {}): Promise<InboxApp> {
  const { beforeConnect, ...more } = options;
  const app = await setUpApp(postgres, { pollMs: 300, ...more, connected: false });
  await beforeConnect?.(app);
  const { acme, anna, bo, gus, services, exchange } = app;
  const inbox = acme.addChannel({ name: 'inbox', members: [anna, bo, gus, 'app'] });
  const admin = { workspace: acme.id, person: anna.id };
  const expiryUnit = 'days';
  await ignoreGuests(services, acme.id, inbox.id);
  await connect(services, admin, { baseUrl: exchange.url, username: user, apiKey, inboxChannel: inbox.id, expiryUnit });
  for (const person of [bo, anna]) {
    await person.opens('#inbox');
    await person.sees('New files will be posted here.');
  }
  return {
    ...app,
    inbox,
    addItem: (sender, files) =>
      exchange.addInboxItem(user, {
        sender,
        files: files.map((file) => (typeof file === 'string' ? { name: file, data: `bytes of ${file}` } : file)),
      }),
    async changeSettings(changes) {
      await changeSettings(services, admin, changes);
    },
    async changeInbox(changes) {
      await changeInboxChannel(services, admin, inbox.id, changes);
    },
    async audited() {
      const entries = await services.store.audit.list(acme.id);
      return entries.map(({ person, action, outcome }) => ({ person, action, outcome })).reverse();
    },
  };
}
