/**
 * What the server sends to the page. Both sides share these types. This file imports nothing, so that the page's
 * scripts can be compiled without the server's code.
 */

export type Json = Record<string, unknown>;

export type Block = Json & { type: string; block_id: string };

/** Refers to one element of a message or view. */
export interface ElementRef {
  surface: { kind: 'message'; channelId: string; ts: string } | { kind: 'view'; viewId: string };
  blockId: string;
  actionId: string;
}

/** An option, selected or not; `value` is what the page sends to the server. */
export interface Choice {
  label: string;
  description?: string;
  value: unknown;
}

/** The value of an element: typed text, or the selected options. */
export interface FieldValue {
  text: string;
  chosen: Choice[];
}

/** Values by block id and action id. */
export type FieldValues = Record<string, Record<string, FieldValue>>;

/** Blocks with everything needed to render and use them. */
export interface Surface {
  ref: ElementRef['surface'];
  blocks: Block[];
  entered: FieldValues;
  /** Errors below the fields, by block. */
  errors: Record<string, string>;
}

export interface Member {
  id: string;
  name: string;
  role: 'owner' | 'admin' | 'member' | 'guest' | 'stranger' | 'bot' | 'app';
}

export interface SharedFile {
  id: string;
  title: string;
  size: number;
  /** The download URL; absent if there is nothing to download. */
  href?: string;
}

export interface Message {
  ts: string;
  author: Member;
  /** Markup; shown if there are no blocks. */
  text: string;
  surface: Surface;
  files: SharedFile[];
  isOnlyForMe: boolean;
  isEdited: boolean;
  /** The ts of the thread's first message, if this is a reply. */
  parent?: string;
  /** A reply that is also shown in the channel. */
  isBroadcast?: boolean;
  replies: number;
}

/** An entry of the sidebar. `opens` is the name that the page sends to the server to open it. */
export interface SidebarEntry {
  opens: string;
  title: string;
  kind: 'public' | 'private' | 'person' | 'app';
  isCurrent: boolean;
  isShared: boolean;
  /** The ts of the latest message from someone else. */
  latest?: string;
}

export interface Conversation {
  kind: 'conversation';
  id: string;
  title: string;
  /** A one-line description. */
  topic: string;
  messages: Message[];
  /** Why the person can't write here; absent if they can. */
  closed?: 'archived' | 'not-a-member' | 'read-only';
  /** Whether it is the app's own conversation, which has tabs. */
  isApp: boolean;
}

export interface Home {
  kind: 'home';
  surface: Surface | undefined;
}

export interface Modal {
  id: string;
  title: string;
  submit: string | undefined;
  close: string;
  surface: Surface;
  /** The number of views below this one. */
  below: number;
  /** The label of the sandbox's button that fills in this form, if there is one. */
  fillLabel: string | undefined;
}

export interface Confirmation {
  title: string;
  text: string;
  confirm: string;
  deny: string;
  isDangerous: boolean;
}

export interface Command {
  command: string;
  hint: string;
  description: string;
  subcommands: { word: string; description: string }[];
}

export interface Shortcut {
  name: string;
  description: string;
  on: 'global' | 'message';
}

/** An email that the service sent. */
export interface OutsideMail {
  at: number;
  to: string;
  subject: string;
  message: string;
  link: string;
}

/** What is outside Slack, as the person who runs the sandbox sees it. */
export interface Outside {
  /** Values that a new user needs, each with a copy button. */
  facts: { label: string; value: string }[];
  /** What to try first; commands are in backticks. */
  steps: { text: string; isDone: boolean }[];
  /** What to do after all steps are done. */
  next: string;
  /** Newest first. */
  mails: OutsideMail[];
  /** What can be simulated outside Slack. Those with a `menu` are its items. */
  simulations: { group: string; name: string; menu?: string; confirm?: string }[];
  /** How far the clock of Slack, the service and the app is ahead of the browser's, in milliseconds. */
  passedMs: number;
}

/** Everything that one person's page shows. */
export interface State {
  workspace: string;
  me: Member;
  people: Member[];
  app: { name: string; isInstalled: boolean; hasHome: boolean; installUrl: string | undefined };
  commands: Command[];
  shortcuts: Shortcut[];
  channels: SidebarEntry[];
  directs: SidebarEntry[];
  destination: Conversation | Home | undefined;
  modal: Modal | undefined;
  confirmation: Confirmation | undefined;
  notices: string[];
  /** Names by id, for mentions. */
  names: Record<string, string>;
  outside: Outside | undefined;
}
