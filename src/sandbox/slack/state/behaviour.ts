/** Slack's limits and switches. They are read on every use, so a test can change them while it runs. */
export interface Behaviour {
  /** How long Slack waits for the answer to a delivery. */
  ackMs: number;
  triggerMs: number;
  responseUrlMs: number;
  responseUrlUses: number;
  /** The delays before a failed event is retried. */
  retryDelaysMs: number[];
  /** One message per second and channel, and the tiers of the methods. */
  rateLimits: boolean;
  /** How many calls of files.info still omit a file's shares. */
  sharesLag: number;
  /** How many calls of files.info don't find a file of the app yet that it has just uploaded. */
  uploadLag: number;
  /** What a second `files.completeUploadExternal` does with a file. Slack's own behaviour is unknown. */
  secondShare: 'refused' | 'shared';
  /**
   * How long after `files.completeUploadExternal` a file is shared; `Infinity` means never. A fault on `share` can
   * delay it.
   */
  shareMs: number;
  /** How many calls of files.info still omit a file's type, which is empty until the scan is done. */
  scanLag: number;
  /** Whether the app is installed for the whole organisation, as an admin of an Enterprise Grid can choose. */
  orgWideInstalls: boolean;
  /** How long Slack takes to greet a new Socket Mode connection; `Infinity` means that it doesn't. */
  socketHelloMs: number;
  /** How long after its warning a Socket Mode connection is closed. */
  socketRefreshMs: number;
  /** How often Slack pings each Socket Mode connection. Slack doesn't document it. */
  socketPingMs: number;
  /** How long Slack takes to answer a ping of the bot; `Infinity` means that it doesn't. */
  socketPongMs: number;
  /** Scopes that an OAuth installation doesn't get although the app asks for them and the person allows them. */
  withheldScopes: readonly string[];
  /** How many calls of files.info, and all messages before them, still omit some of the fields of a new file. */
  processingLag: number;
  /** The fields that are omitted: any of `size`, `url_private`, `url_private_download` and `mode`. */
  lateFields: string[];
  /**
   * Which host sends files: the one of their URLs, or one that it redirects to, as on Enterprise Grid: another host of
   * Slack, which needs the token, or a host elsewhere, which refuses requests with a token.
   */
  fileHost: 'files' | 'files-origin' | 'edge';
  /** Whether forwarding a message also shares its files. Real Slack is not documented. */
  forwardShares: boolean;
  /** How long `sees` and similar methods wait. */
  timeoutMs: number;
}

export const slackBehaviour: Readonly<Behaviour> = {
  ackMs: 3000,
  triggerMs: 3000,
  responseUrlMs: 30 * 60_000,
  responseUrlUses: 5,
  // Immediately, after one minute, after five minutes.
  retryDelaysMs: [0, 60_000, 300_000],
  rateLimits: true,
  sharesLag: 0,
  uploadLag: 0,
  secondShare: 'refused',
  shareMs: 30,
  scanLag: 0,
  orgWideInstalls: false,
  socketHelloMs: 0,
  socketRefreshMs: 10_000,
  socketPingMs: 5_000,
  socketPongMs: 0,
  withheldScopes: [],
  processingLag: 0,
  lateFields: ['size', 'url_private', 'url_private_download'],
  fileHost: 'files',
  forwardShares: false,
  timeoutMs: 20_000,
};
