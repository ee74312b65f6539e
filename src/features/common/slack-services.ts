import type { WebClient } from '@slack/web-api';
import type { InstallationState } from '../../slack/access.ts';
import type { Bot, Installations } from '../../slack/installations.ts';
import type { Interaction } from '../../slack/interaction.ts';
import type { Posting } from '../../slack/posting.ts';
import type { SignIn } from '../../slack/sign-in.ts';
import type { Actor, DeliveryServices, People } from './services.ts';

/** The dependencies of code that uses Slack directly. */
export interface SlackServices extends DeliveryServices {
  slack: SlackAccess;
  /** Dropline's public URL. Without it there are no pages to link to. */
  publicUrl: string | undefined;
  /** Where people get help: an e-mail address or a URL. */
  support: string | undefined;
}

/** The dependencies of listeners. */
export interface ListenerServices extends SlackServices {
  /** Runs a command as if the person had typed it. */
  runCommand(interaction: Interaction, command: string): Promise<void>;
  /** Publishes the person's Home again after a change. A failure is only logged. */
  refreshHome(actor: Actor): Promise<void>;
}

export interface SlackAccess {
  installations: Installations;
  /** The workspace's bot; undefined if the app isn't installed. */
  botOf(workspace: string): Promise<Bot | undefined>;
  /** A client with the bot's token. Rejects if the app isn't installed. */
  clientOf(workspace: string): Promise<WebClient>;
  /** A client that never retries a call. */
  noRetryClientOf(workspace: string): Promise<WebClient>;
  /** A client for `files.info`, which has a separate rate limit. Its calls reject when Slack limits them. */
  filesClientOf(workspace: string): Promise<WebClient>;
  /** Asks Slack whether the app is still installed. */
  installationStateOf(workspace: string): Promise<InstallationState>;
  /** Sign in with Slack; undefined without a client id, and with a configured bot token. */
  signIn: SignIn | undefined;
  people: People;
  posting: Posting;
}
