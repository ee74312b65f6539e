import type { WebClient } from '@slack/web-api';
import type { Bot, Installations } from '../slack/installations.ts';
import type { Interaction } from '../slack/interaction.ts';
import type { Standing } from '../slack/side.ts';
import type { SignIn } from '../slack/sign-in.ts';
import type { People, Services } from './services.ts';

/** What those who tell people things in Slack are given beside what operations are. */
export interface SlackServices extends Services {
  slack: SlackSide;
  /** The address that the world sees; without it there are no pages to link to. */
  publicUrl: string | undefined;
  /** Where people get help: an e-mail address or a page. */
  support: string | undefined;
}

/** What listeners are given. */
export interface UiServices extends SlackServices {
  /** Goes on with a command that was interrupted. */
  resume(interaction: Interaction, command: string): Promise<void>;
}

export interface SlackSide {
  installations: Installations;
  /** The workspace's bot; undefined where the app is not installed (any more). */
  botOf(workspace: string): Promise<Bot | undefined>;
  /** Speaks as the workspace's bot; rejects where the app is not installed. */
  clientOf(workspace: string): Promise<WebClient>;
  /** The same for `files.info`, which is limited apart from the rest: it rejects when Slack takes no more calls. */
  filesClientOf(workspace: string): Promise<WebClient>;
  /** Asks Slack whether the app is still there. */
  standingOf(workspace: string): Promise<Standing>;
  /** Asks Slack who is at a browser; undefined where the app has no client id. */
  signIn: SignIn | undefined;
  people: People;
}
