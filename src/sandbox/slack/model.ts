/** An object as it comes from outside or goes there. */
export type Json = Record<string, unknown>;

/** A block that was checked and has its id. */
export type Block = Json & { type: string; block_id: string };

/** What a person entered or chose, by block and action, as it stands in `view.state.values`. */
export type Values = Record<string, Record<string, Json & { type: string }>>;

export type Role = 'owner' | 'admin' | 'member' | 'guest' | 'stranger' | 'bot' | 'app';

export interface User {
  id: string;
  /** The workspace that the user belongs to; of a stranger, one that is not simulated. */
  teamId: string;
  name: string;
  /** The name without capitals and spaces, as it is typed after an at-sign. */
  handle: string;
  email: string;
  role: Role;
  deactivated: boolean;
  /** Of bots and of the app. */
  botId: string | undefined;
}

export interface Message {
  ts: string;
  userId: string;
  /** The workspace of whoever wrote it. */
  teamId: string;
  /** Set on what a bot wrote. */
  botId?: string;
  appId?: string;
  text: string;
  blocks?: Block[];
  attachments?: Json[];
  metadata?: Json;
  threadTs?: string;
  broadcast?: boolean;
  fileIds: string[];
  edited?: { user: string; ts: string };
  /** Only this user sees it. */
  ephemeralTo?: string;
  clientMessageId?: string;
}

export interface Channel {
  id: string;
  name: string;
  kind: 'public' | 'private' | 'im';
  /** With another organisation. */
  shared: boolean;
  /** Another organisation is invited and has not come yet. */
  invited: boolean;
  archived: boolean;
  created: number;
  creator: string;
  members: Set<string>;
  /** Oldest first; ephemeral ones among them. */
  messages: Message[];
}

export interface Share {
  channelId: string;
  ts: string;
  threadTs?: string;
}

/** Data that can be read as often as needed. */
export interface Blob {
  size: number;
  open(): AsyncIterable<Uint8Array>;
}

export interface FileRecord {
  id: string;
  teamId: string;
  userId: string;
  name: string;
  title: string;
  mimetype: string;
  /** `hosted`, `snippet`, `external`, or one of those that Slack has for its own documents. */
  mode: string;
  /** Of an external file: where it really is. */
  externalUrl?: string;
  size: number;
  /** Known once the data has been read from end to end. */
  sha256?: string;
  data: Blob;
  created: number;
  /** When its text was last edited, in seconds. Only snippets can be. */
  edited?: number;
  shares: Share[];
  /** It was handed to the app with a submitted form, so the app may read it although it is shared nowhere. */
  givenToApp: boolean;
  deleted: boolean;
  /** It was uploaded and not shared so far: Slack scans it, and doesn't say what type it has. */
  isScanned?: false;
  /** How Slack refuses it to the app, such as `access_denied` for a file of another organisation. */
  refusal?: string;
  /** How often the app asked for it; its shares may show only later. */
  reads: number;
}

export interface View {
  id: string;
  teamId: string;
  userId: string;
  type: 'modal' | 'home';
  /** What the bot sent, with ids and defaults filled in. */
  body: Json & { blocks: Block[] };
  hash: string;
  rootId: string;
  previousId: string | undefined;
  values: Values;
  /** All that fields of this modal have held, those of other views of its stack and of earlier content included. */
  remembered?: Values;
  /** Shown below their fields, by block. */
  errors: Record<string, string>;
}

export interface Installation {
  token: string;
  scopes: string[];
  installer: string;
  botUserId: string;
  botId: string;
}

/** Where a person is: in a conversation, or on the app's Home tab. */
export type Place = { kind: 'channel'; channelId: string } | { kind: 'home' };

/** One element of one message or view. */
export interface ElementRef {
  surface: { kind: 'message'; channelId: string; ts: string } | { kind: 'view'; viewId: string };
  blockId: string;
  actionId: string;
}

/** A dialog that asks before an act. */
export interface Confirmation {
  title: string;
  text: string;
  confirm: string;
  deny: string;
  /** Which element it is about, and what that would send; or which views would be closed. */
  about: { ref: ElementRef; value: Json } | { leaving: Leaving };
}

/** The view on top, or all of the modal. */
export type Leaving = 'top' | 'all';

/** What one person's Slack shows: plain data, from which any page can be drawn. */
export interface Client {
  place: Place | undefined;
  /** Ids of the open modal's views, the visible one last. */
  modals: string[];
  confirmation: Confirmation | undefined;
  /** Slack's own words about something that failed; gone with the next act. */
  notices: string[];
  /** What was chosen in messages, by the message's time. */
  messageValues: Record<string, Values>;
  /** Addresses that were opened in a browser. */
  opened: string[];
}

/** One workspace, with all that is in it. */
export interface Team {
  id: string;
  name: string;
  domain: string;
  users: Map<string, User>;
  channels: Map<string, Channel>;
  files: Map<string, FileRecord>;
  views: Map<string, View>;
  clients: Map<string, Client>;
  /** Home views, by user. */
  homes: Map<string, string>;
  installation: Installation | undefined;
  /** The app's user, once it was installed; it stays when the app goes. */
  appUser: User | undefined;
}
