import type { Upload } from '../client/compose.ts';
import type { Client } from '../model.ts';
import type { Screen } from '../screen/screen.ts';
import type { Consent, Page } from './browser.ts';
import type { Downloaded } from './download.ts';
import type { ReadMessage } from './reading.ts';

export type { Consent, Downloaded, Page, ReadMessage, Screen, Upload };

interface Somewhere {
  /** "#channel", a person's or the app's name; where they are unless told. */
  in?: string;
}

interface Near {
  /** Words nearby, which tell one of several like things. */
  near?: string;
}

/**
 * Somebody at their Slack. They act by what they see, wait a while for it to appear, and can do nothing else. Whatever
 * is not there, or is there more than once, is an error that shows the screen.
 */
export interface Person {
  readonly id: string;
  readonly name: string;
  /** The plain data of which the screen is made. */
  readonly client: Client;
  /** Goes to "#channel", to somebody or the app by name, or to "Home of" the app. */
  opens(place: string): Promise<void>;
  /** A command, or something to say; as a reply to the message that has these words. */
  types(text: string, where?: Somewhere & { thread?: string }): Promise<void>;
  shares(files: readonly Upload[], where?: Somewhere & { text?: string; thread?: string }): Promise<void>;
  sees(words: string | RegExp): Promise<void>;
  /** Waits until the words are gone. */
  doesNotSee(words: string | RegExp): Promise<void>;
  screen(): string;
  /** The same as data: lines, and what can be used on each. */
  look(): Screen;
  /** A button, a menu's entry, a box, a link; by its label or by what a screen reader says. */
  clicks(label: string, near?: Near): Promise<void>;
  confirms(label?: string): Promise<void>;
  declines(label?: string): Promise<void>;
  fills(label: string, text: string, near?: Near): Promise<void>;
  /** From whatever there is to choose from, by typing; dates and times as 2026-03-01, 13:30, 2026-03-01 13:30. */
  picks(label: string, words: string, near?: Near): Promise<void>;
  unpicks(label: string, words: string, near?: Near): Promise<void>;
  attaches(label: string, files: readonly Upload[], near?: Near): Promise<void>;
  submits(label?: string): Promise<void>;
  /**
   * The cross in the corner: all that is stacked goes, and Slack's question whether that is meant is answered with yes. The
   * button below the form is clicked by its label.
   */
  closes(): Promise<void>;
  usesShortcut(name: string, on?: { on: string }): Promise<void>;
  downloads(name: string): Promise<Downloaded>;
  deletesFile(name: string): Promise<void>;
  /** Gives a snippet another text. */
  editsSnippet(name: string, text: string): Promise<void>;
  /** Starts Slack anew: what only this person saw is gone, and so are open forms. */
  reloads(): Promise<void>;
  installs(url: string, consent?: Consent): Promise<Page>;
  /** All that this person can read, oldest first. */
  readonly messages: ReadMessage[];
  /** Addresses that were opened in the browser. */
  readonly opened: string[];
}
