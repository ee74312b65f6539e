/** A JSON object. */
export type Json = Record<string, unknown>;

/** A validated block with an id. */
export type Block = Json & { type: string; block_id: string };

/** Entered values by block and action, as in `view.state.values`. */
export type Values = Record<string, Record<string, Json & { type: string }>>;

export type Role = 'owner' | 'admin' | 'member' | 'guest' | 'stranger' | 'bot' | 'app';

export interface User {
  id: string;
  /** The user's home workspace; not simulated for people of another organisation. */
  teamId: string;
  name: string;
  /** As typed after an at-sign. For people, the name in lower case, with dots instead of spaces and symbols. */
  handle: string;
  email: string;
  role: Role;
  /** The role in the organisation, in Enterprise Grid. */
  organisationRole?: 'owner' | 'admin';
  deactivated: boolean;
  /** For bots and the app. */
  botId: string | undefined;
}

export interface Message {
  ts: string;
  userId: string;
  /** The author's workspace. */
  teamId: string;
  /** Set if a bot wrote it. */
  botId?: string;
  appId?: string;
  text: string;
  blocks?: Block[];
  threadTs?: string;
  broadcast?: boolean;
  fileIds: string[];
  /** Messages that it forwards. */
  forwarded?: Message[];
  edited?: { user: string; ts: string };
  /** Only this user sees it. */
  ephemeralTo?: string;
  clientMessageId?: string;
}

export interface Channel {
  id: string;
  name: string;
  kind: 'public' | 'private' | 'im';
  /** Shared with another organisation. */
  shared: boolean;
  /** Another organisation is invited and hasn't accepted yet. */
  invited: boolean;
  archived: boolean;
  created: number;
  creator: string;
  members: Set<string>;
  /** Oldest first, including ephemeral messages. */
  messages: Message[];
}

export interface Share {
  channelId: string;
  ts: string;
  threadTs?: string;
}

/** Data that can be read repeatedly. */
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
  /** `hosted`, `snippet`, `external`, or a mode of Slack's own documents. */
  mode: string;
  /** For an external file: its real URL. */
  externalUrl?: string;
  size: number;
  /** Known once the data has been read completely. */
  sha256?: string;
  data: Blob;
  /** What downloads of an image return, if Slack has removed its EXIF data. `size` stays that of the upload. */
  stripped?: Blob;
  created: number;
  /** When Slack last processed the file or someone renamed it, in seconds. */
  updated?: number;
  /** When the text was last edited, in seconds. Only for snippets. */
  edited?: number;
  shares: Share[];
  /** Attached to a submitted form or uploaded by the app, so the app can read it although it isn't shared. */
  givenToApp: boolean;
  deleted: boolean;
  /** False from the upload until Slack has scanned the file. Until then, Slack omits its type. */
  isScanned?: false;
  /** Slack's error when the app reads the file, for example `access_denied` for a file of another organisation. */
  refusal?: string;
  /** How often the app called files.info for it, for `sharesLag`, `scanLag` and `processingLag`. */
  reads: number;
}

export interface View {
  id: string;
  teamId: string;
  userId: string;
  type: 'modal' | 'home';
  /** The view that the bot sent, with ids and defaults filled in. */
  body: Json & { blocks: Block[] };
  /** JSON of the blocks to which Slack added ids or defaults, in this or an earlier version of the view. */
  completed?: Set<string>;
  hash: string;
  rootId: string;
  previousId: string | undefined;
  values: Values;
  /** All values that fields of this modal have had, including other views of its stack and earlier content. */
  remembered?: Values;
  /** Errors below the fields, by block. */
  errors: Record<string, string>;
}

export interface Installation {
  token: string;
  scopes: string[];
  installer: string;
  botUserId: string;
  botId: string;
}

/** What a person is viewing: a conversation, or the app's Home tab. */
export type Destination = { kind: 'channel'; channelId: string } | { kind: 'home' };

/** One element of one message or view. */
export interface ElementRef {
  surface: { kind: 'message'; channelId: string; ts: string } | { kind: 'view'; viewId: string };
  blockId: string;
  actionId: string;
}

/** A confirmation dialog. */
export interface Confirmation {
  title: string;
  text: string;
  confirm: string;
  deny: string;
  /** What a confirmation does: sends the element's value, or closes views. */
  action: { ref: ElementRef; value: Json } | { closing: CloseScope };
}

/** Close the top view, or all views of the modal. */
export type CloseScope = 'top' | 'all';

/** What one person's Slack client shows, as plain data that any page can render. */
export interface Client {
  destination: Destination | undefined;
  /** View ids of the open modal; the visible one is last. */
  modals: string[];
  confirmation: Confirmation | undefined;
  /** Slack's own error messages; cleared by the next action. */
  notices: string[];
  /** Values selected in messages, by message ts. */
  messageValues: Record<string, Values>;
  /** URLs that were opened in a browser. */
  opened: string[];
}

/** One workspace and everything in it. */
export interface Team {
  id: string;
  name: string;
  domain: string;
  users: Map<string, User>;
  channels: Map<string, Channel>;
  files: Map<string, FileRecord>;
  views: Map<string, View>;
  clients: Map<string, Client>;
  /** Home view ids by user. */
  homes: Map<string, string>;
  installation: Installation | undefined;
  /** The app's user, set by the first installation; it survives uninstalling. */
  appUser: User | undefined;
}
