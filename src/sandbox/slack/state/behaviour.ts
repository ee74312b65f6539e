import type { Behaviour } from '../types.ts';

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
