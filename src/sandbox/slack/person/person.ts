import type { Upload } from '../client/post.ts';
import type { Client } from '../state/model.ts';
import type { Consent, Page } from './browser.ts';
import type { Downloaded } from './download.ts';
import type { ReadMessage } from './messages.ts';
import type { Screen } from './screen/screen.ts';

export type { Consent, Downloaded, Page, ReadMessage, Screen, Upload };

interface DestinationOption {
  /** "#channel", or the name of a person or the app. Default: the conversation that is open. */
  in?: string;
}

interface NearOption {
  /** Nearby text that tells similar controls apart. */
  near?: string;
}

/**
 * A person who uses Slack. They act only on what they see, and wait a while for it to appear. If it is missing or
 * ambiguous, the error shows the screen.
 */
export interface Person {
  readonly id: string;
  readonly name: string;
  /** The plain data from which the screen is rendered. */
  readonly client: Client;
  /** Opens "#channel", a person or the app by name, or "Home of" the app. */
  opens(destination: string): Promise<void>;
  /** Types a command or a message; `thread` replies to the message that contains this text. */
  types(text: string, where?: DestinationOption & { thread?: string }): Promise<void>;
  shares(files: readonly Upload[], where?: DestinationOption & { text?: string; thread?: string }): Promise<void>;
  /** Forwards the messages that contain these texts to another conversation, with an own text and own files. */
  forwards(texts: readonly string[], where: { to: string; text?: string; files?: readonly Upload[] }): Promise<void>;
  sees(text: string | RegExp): Promise<void>;
  /** Waits until the text is gone. */
  doesNotSee(text: string | RegExp): Promise<void>;
  screen(): string;
  /** The screen as data: lines and their controls. */
  readScreen(): Screen;
  /** Clicks a button, menu entry, checkbox, radio button or link, by its label or its accessible name. */
  clicks(label: string, near?: NearOption): Promise<void>;
  confirms(label?: string): Promise<void>;
  declines(label?: string): Promise<void>;
  fills(label: string, text: string, near?: NearOption): Promise<void>;
  /** Selects a value by typing. */
  picks(label: string, text: string, near?: NearOption): Promise<void>;
  unpicks(label: string, text: string, near?: NearOption): Promise<void>;
  attaches(label: string, files: readonly Upload[], near?: NearOption): Promise<void>;
  submits(label?: string): Promise<void>;
  /**
   * Clicks the X in the corner: closes all stacked views and confirms Slack's dialog. Use `clicks` for the button below
   * the form.
   */
  closes(): Promise<void>;
  usesShortcut(name: string, on?: { on: string }): Promise<void>;
  downloads(name: string): Promise<Downloaded>;
  deletesFile(name: string): Promise<void>;
  /** Changes a file's title. */
  renamesFile(name: string, title: string): Promise<void>;
  /** Replaces the text of a snippet. */
  editsSnippet(name: string, text: string): Promise<void>;
  /** Restarts Slack: ephemeral messages and open forms are gone. */
  reloads(): Promise<void>;
  installs(url: string, consent?: Consent): Promise<Page>;
  /** All messages in this person's conversations that they can read, oldest first. */
  readonly messages: ReadMessage[];
  /** URLs that were opened in the browser. */
  readonly opened: string[];
}
