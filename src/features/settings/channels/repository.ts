import { z } from 'zod';
import { defineCollection, type Store } from '../../../store/index.ts';

const channelProblems = ['gone', 'archived', 'shared', 'not-member', 'public'] as const;
export type ChannelProblem = (typeof channelProblems)[number];

/** `guests`: undefined if they couldn't be counted. `at`: when they were; undefined if they weren't yet. */
const channelResult = z.object({
  at: z.number().optional(),
  problem: z.enum(channelProblems).optional(),
  guests: z.number().optional(),
});
export type ChannelResult = z.infer<typeof channelResult>;

/** What an unfinished check has found. `members`: those that are left; undefined if there are too many. */
const progress = z.object({
  problem: z.enum(['gone', 'archived', 'shared', 'not-member']).optional(),
  isPrivate: z.boolean(),
  guests: z.number(),
  members: z.array(z.string()).optional(),
});
export type CheckProgress = z.infer<typeof progress>;

const channelCheck = z.object({
  /** Who saved the channel last. */
  savedBy: z.string().optional(),
  /** Counts how often it was saved: a check that started before ends without a result. */
  saves: z.number().default(0),
  /** Whether an admin knows that the channel has guests. */
  areGuestsKnown: z.boolean().default(false),
  /** Whether the channel was private when it was saved. Undefined until the first check. */
  wasPrivate: z.boolean().optional(),
  /** When it is checked again. */
  dueAt: z.number().default(0),
  result: channelResult.optional(),
  progress: progress.optional(),
});
export type ChannelCheck = z.infer<typeof channelCheck>;

/** By workspace and channel: who can see what is posted in an inbox channel, and what keeps Dropline from posting. */
export const channelChecks = defineCollection('inbox-channel-check', channelCheck);

/** By workspace: when a job has last begun to check its channels. */
export const channelCheckRuns = defineCollection('inbox-channel-check-run', z.number());

const newCheck: ChannelCheck = channelCheck.parse({});

/** Reads and writes the checks of a workspace's inbox channels. */
export function channelChecksIn({ collection }: Pick<Store, 'collection'>, workspace: string) {
  const checks = collection(channelChecks);
  return {
    list: () => checks.list(workspace),
    get: async (channel: string): Promise<ChannelCheck> => (await checks.get(workspace, channel)) ?? newCheck,
    /** An admin has saved the channel, so that it is checked again. Its last result is kept until then. */
    save: (channel: string, savedBy: string, areGuestsKnown: boolean) =>
      checks.update(
        workspace,
        (before = newCheck): ChannelCheck => ({
          savedBy,
          saves: before.saves + 1,
          areGuestsKnown: areGuestsKnown || before.areGuestsKnown,
          dueAt: 0,
          result: before.result,
        }),
        { name: channel },
      ),
    /** Stores what a job has found, unless the channel was saved or removed since. */
    record: (channel: string, { saves }: ChannelCheck, found: Partial<ChannelCheck>) =>
      checks.update(workspace, (current = newCheck) => (current.saves === saves ? { ...current, ...found } : current), {
        name: channel,
      }),
    /** Begins a run, unless one began within the pause: then resolves with how long to wait. */
    async startRun(pauseMs: number): Promise<number> {
      const now = Date.now();
      const isRecent = (last: number) => last <= now && now < last + pauseMs;
      const last = await collection(channelCheckRuns).update(workspace, (last = 0) => (isRecent(last) ? last : now));
      return last === now ? 0 : last + pauseMs - now;
    },
    delete: (channel: string) => checks.delete(workspace, channel),
  };
}
