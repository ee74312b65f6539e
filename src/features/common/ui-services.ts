import type { WebClient } from '@slack/web-api';
import type { Bot, Installations } from '../../slack/installations.ts';
import type { Interaction } from '../../slack/interaction.ts';
import type { InstallationState } from '../../slack/side.ts';
import type { SignIn } from '../../slack/sign-in.ts';
import type { People, Services } from './services.ts';

/** What code that talks to people in Slack gets, besides what operations get. */
export interface SlackServices extends Services {
  slack: SlackSide;
  /** Dropline's public URL. Without it there are no pages to link to. */
  publicUrl: string | undefined;
  /** Where people get help: an e-mail address or a URL. */
  support: string | undefined;
}

/** What listeners get. */
export interface UiServices extends SlackServices {
  /** Continues an interrupted command. */
  resume(interaction: Interaction, command: string): Promise<void>;
}

export interface SlackSide {
  installations: Installations;
  /** The workspace's bot; undefined if the app isn't installed. */
  botOf(workspace: string): Promise<Bot | undefined>;
  /** A client with the bot's token. Rejects if the app isn't installed. */
  clientOf(workspace: string): Promise<WebClient>;
  /** The same for `files.info`, which has a separate rate limit: it rejects when Slack limits calls. */
  filesClientOf(workspace: string): Promise<WebClient>;
  /** Asks Slack whether the app is still installed. */
  installationStateOf(workspace: string): Promise<InstallationState>;
  /** Asks Slack who uses a browser; undefined without a client id. */
  signIn: SignIn | undefined;
  people: People;
}
