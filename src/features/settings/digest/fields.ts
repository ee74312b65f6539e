import { z } from 'zod';

export const digestIntervals = ['quarter', 'hour', 'day'] as const;

/** A channel that gets one post with the new items of an interval, instead of a post for each item. */
export const digestSchema = z.object({
  channel: z.string(),
  every: z.enum(digestIntervals),
  /** The hour, in `zone`, at which a daily digest is posted. */
  hour: z.number().int().min(0).max(23).default(9),
  zone: z.string().default('UTC'),
});
export type Digest = z.infer<typeof digestSchema>;

/** Formats an hour as Slack does in English, like “9:00 AM”. */
export const hourText = (hour: number): string => `${hour % 12 || 12}:00 ${hour < 12 ? 'AM' : 'PM'}`;

/** How a channel gets new items. */
export function digestText(digest: Digest | undefined): string {
  if (digest === undefined) return 'a post for each item';
  if (digest.every === 'day') return `a digest once a day at ${hourText(digest.hour)} (${digest.zone})`;
  return digest.every === 'hour' ? 'a digest every hour' : 'a digest every 15 minutes';
}
