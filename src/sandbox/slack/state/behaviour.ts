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
  /**
   * How long after `files.completeUploadExternal` a file is shared; `Infinity` means never. A fault on `share` can
   * delay it.
   */
  shareMs: number;
  /** How many calls of files.info still omit a file's type, which is empty until the scan is done. */
  scanLag: number;
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
  shareMs: 30,
  scanLag: 0,
  timeoutMs: 20_000,
};
