/**
 * What the server tells the page, and nothing else: both sides know these shapes, and this file imports nothing, so that
 * the page's scripts can be compiled for browsers alone.
 */

export type Json = Record<string, unknown>;

export type Block = Json & { type: string; block_id: string };

/** One element of one message or view, as the server finds it again. */
export interface ElementRef {
  surface: { kind: 'message'; channelId: string; ts: string } | { kind: 'view'; viewId: string };
  blockId: string;
  actionId: string;
}

/** Something to choose, or that was chosen: `value` is what the server takes back. */
export interface Choice {
  label: string;
  description?: string;
  value: unknown;
}

/** What an element holds: text that was typed, or what was chosen. */
export interface Held {
  text: string;
  chosen: Choice[];
}

/** By block and by action. */
export type AllHeld = Record<string, Record<string, Held>>;

/** Blocks with all that is needed to draw them and to act on them. */
export interface Surface {
  ref: ElementRef['surface'];
  blocks: Block[];
  held: AllHeld;
  /** Below fields, by block. */
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
  /** Where this person gets it; absent where there is nothing to get. */
  href?: string;
}

export interface Message {
  ts: string;
  author: Member;
  /** Markup; shown where there are no blocks. */
  text: string;
  surface: Surface;
  files: SharedFile[];
  isOnlyForMe: boolean;
  isEdited: boolean;
  /** The first message of its thread, where it is a reply. */
  parent?: string;
  replies: number;
}

/** An entry of the sidebar. `opens` is the name by which the server goes there. */
export interface PlaceEntry {
  opens: string;
  title: string;
  kind: 'public' | 'private' | 'person' | 'app';
  isCurrent: boolean;
  isShared: boolean;
  /** When somebody else last said something there that stays. */
  latest?: string;
}

export interface Conversation {
  kind: 'conversation';
  id: string;
  title: string;
  /** What can be said of it in a line. */
  topic: string;
  messages: Message[];
  /** Why nothing can be typed here; absent where something can. */
  closed?: 'archived' | 'not-a-member' | 'read-only';
  /** It is the app's own: it has tabs. */
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
  /** Views below this one. */
  below: number;
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
}

export interface Shortcut {
  name: string;
  description: string;
  on: 'global' | 'message';
}

/** A mail that left the workspace's world. */
export interface OutsideMail {
  at: number;
  to: string;
  subject: string;
  message: string;
  link: string;
}

/** The world outside of Slack, as whoever runs the sandbox knows it. */
export interface Outside {
  /** What a newcomer needs to know, each to be copied. */
  facts: { label: string; value: string }[];
  /** What to try first; commands stand in back quotes. */
  steps: { words: string; isDone: boolean }[];
  /** Newest first. */
  mails: OutsideMail[];
  /** What can be made to happen out there. */
  acts: string[];
}

/** All that one person's page shows. */
export interface State {
  workspace: string;
  me: Member;
  people: Member[];
  app: { name: string; isInstalled: boolean; hasHome: boolean; installUrl: string | undefined };
  commands: Command[];
  shortcuts: Shortcut[];
  channels: PlaceEntry[];
  directs: PlaceEntry[];
  place: Conversation | Home | undefined;
  modal: Modal | undefined;
  confirmation: Confirmation | undefined;
  notices: string[];
  /** Names by id, for mentions. */
  names: Record<string, string>;
  outside: Outside | undefined;
}
