import { readFileSync } from 'node:fs';
import pg from 'pg';
import type { Account, ExchangeServer } from '../../src/sandbox/exchange/index.ts';
import type {
  ElementRef,
  FileRecord,
  Json,
  SlackServer,
  Team,
  View,
  Workspace,
} from '../../src/sandbox/slack/index.ts';

/** A button, menu entry or form that a person had open, with all its data. */
export interface RecordedAction {
  /** The action id or callback id, with an optional variant after a `#`. */
  key: string;
  kind: 'click' | 'submit' | 'close';
  workspace: string;
  person: string;
  /** Where it is: in a message or Home of the recorded workspace, or in a view of `views`. */
  ref?: ElementRef;
  option?: Json;
  view?: string;
}

type RecordedFile = Omit<FileRecord, 'data'> & { base64: string };
type RecordedChannel = Omit<Team['channels'] extends Map<string, infer Channel> ? Channel : never, 'members'> & {
  members: string[];
};

/** The state of a workspace in the simulated Slack. */
export interface RecordedTeam extends Pick<Team, 'id' | 'name' | 'domain' | 'installation' | 'appUser'> {
  users: (Team['users'] extends Map<string, infer User> ? User : never)[];
  channels: RecordedChannel[];
  files: RecordedFile[];
  homes: View[];
}

export interface Recording {
  slack: {
    teams: RecordedTeam[];
    acts: RecordedAction[];
    /** By id and hash. Stored apart from the actions, because several can belong to one view. */
    views: Record<string, View>;
    commands: string[];
    /** Paths of open pages by name. */
    known: Record<string, string>;
  };
  service: {
    recordedAt: number;
    accounts: Account[];
    /** The contents of inbox files, base64 by digest. */
    files: Record<string, string>;
  };
  sql: string;
  secretKey: Buffer;
}

const folder = new URL('recordings/', import.meta.url);

export function readRecording(version: string): Recording {
  const read = (name: string) => readFileSync(new URL(`${version}/${name}`, folder), 'utf8');
  return {
    slack: JSON.parse(read('slack.json')),
    service: JSON.parse(read('service.json')),
    sql: read('database.sql'),
    secretKey: Buffer.from(read('test-key.txt').split('\n').at(-2) ?? '', 'base64'),
  };
}

/** Fills a new Slack with the recorded workspaces. People, tokens, files and messages keep their ids. */
export function restoreSlack(slack: SlackServer, { teams }: Recording['slack']): Map<string, Workspace> {
  const restored = new Map<string, Workspace>();
  for (const { id, name, domain, users, channels, files, homes, installation, appUser } of teams) {
    const workspace = slack.addWorkspace({ id, name, domain });
    const { state } = workspace;
    for (const { id: user, name: personName, role, email } of users)
      if (role !== 'app') workspace.addPerson({ id: user, name: personName, role, email });
    state.installation = installation;
    state.appUser = appUser;
    if (appUser !== undefined) state.users.set(appUser.id, appUser);
    for (const channel of structuredClone(channels))
      state.channels.set(channel.id, { ...channel, members: new Set(channel.members) });
    for (const { base64, ...file } of files) {
      const bytes = Buffer.from(base64, 'base64');
      state.files.set(file.id, { ...file, data: { size: bytes.length, open: () => oneChunk(bytes) } });
    }
    for (const view of structuredClone(homes)) {
      state.views.set(view.id, view);
      state.homes.set(view.userId, view.id);
    }
    restored.set(name, workspace);
  }
  return restored;
}

async function* oneChunk(bytes: Buffer): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

/** Fills a new service with the recorded accounts. */
export async function restoreService(exchange: ExchangeServer, { accounts, files }: Recording['service']) {
  for (const { user, apiKey, number, ...rest } of accounts) {
    const account = exchange.addAccount({ user, apiKey, number });
    for (const { sender, files: inboxFiles } of rest.inbox) {
      const data = inboxFiles.map(({ name, sha256 }) => ({ name, data: Buffer.from(files[sha256] ?? '', 'base64') }));
      await exchange.addInboxItem(user, { sender, files: data });
    }
    Object.assign(account, structuredClone(rest));
  }
}

/** Loads the dump and shifts every timestamp, as if it had been recorded just now. */
export async function loadDump(databaseUrl: string, { sql, service: { recordedAt } }: Recording): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query(sql);
    const { rows } = await client.query<{ table: string; column: string }>(
      `select format('%I.%I', table_schema, table_name) as table, quote_ident(column_name) as column
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema in ('dropline', 'graphile_worker') and table_type = 'BASE TABLE'
         and data_type = 'timestamp with time zone'`,
    );
    for (const { table, column } of rows)
      await client.query(`update ${table} set ${column} = ${column} + make_interval(secs => $1)`, [
        (Date.now() - recordedAt) / 1000,
      ]);
  } finally {
    await client.end();
  }
}
