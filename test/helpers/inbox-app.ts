import { connect } from '../../src/features/connect/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import type { Settings } from '../../src/features/settings/settings.ts';
import type { InboxItem } from '../../src/sandbox/exchange/index.ts';
import type { Channel } from '../../src/sandbox/slack/index.ts';
import { type AppSetup, type AppSetupOptions, setUpApp } from './app.ts';
import { apiKey, user } from './exchange.ts';
import type { TestPostgres } from './postgres.ts';

export interface InboxApp extends AppSetup {
  /** Where new files are announced; all people of the story are in it. */
  inbox: Channel;
  /** Somebody has sent files, by their names or with what is in them. */
  arrive(sender: string, files: (string | { name: string; data: string | Uint8Array })[]): Promise<InboxItem>;
  /** Anna changes the settings. */
  set(changes: Partial<Settings>): Promise<void>;
  /** What the audit has of downloads: who, what and with which outcome. */
  audited(): Promise<{ person: string; act: string; outcome: string }[]>;
}

/** What a channel holds besides the notice of who chose it. */
export const newsIn = ({ messages }: Channel) => messages.filter(({ text }) => !text.startsWith('An admin set up'));

export interface InboxAppOptions extends AppSetupOptions {
  /** What is to happen before the workspace is connected: who is to work, where this process does not. */
  begin?(app: AppSetup): Promise<void>;
}

/** The bot in a workspace that announces new files in #inbox, and counts times to live in days. */
export async function setUpInboxApp(postgres: TestPostgres, options: InboxAppOptions = {}): Promise<InboxApp> {
  const { begin, ...more } = options;
  const app = await setUpApp(postgres, { pollMs: 300, ...more, connected: false });
  await begin?.(app);
  const { acme, anna, bo, gus, services, exchange } = app;
  const inbox = acme.addChannel({ name: 'inbox', members: [anna, bo, gus, 'app'] });
  const admin = { workspace: acme.id, person: anna.id };
  const ttl = { unit: 'days', usual: 7 } as const;
  await connect(services, admin, { baseUrl: exchange.url, username: user, apiKey, inboxChannel: inbox.id, ttl });
  for (const person of [bo, anna]) {
    await person.opens('#inbox');
    await person.sees('set up Dropline to post new files in this channel');
    await person.sees('Incoming files are announced here from now on.');
  }
  return {
    ...app,
    inbox,
    arrive: (sender, files) =>
      exchange.addInboxItem(user, {
        sender,
        files: files.map((file) => (typeof file === 'string' ? { name: file, data: `bytes of ${file}` } : file)),
      }),
    async set(changes) {
      await changeSettings(services, admin, changes);
    },
    async audited() {
      const entries = await services.store.audit.list(acme.id);
      return entries.map(({ person, act, outcome }) => ({ person, act, outcome })).reverse();
    },
  };
}
