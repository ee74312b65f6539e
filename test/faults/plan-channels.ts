import type { createRandom } from '../helpers/seeded.ts';
import type { Arrival, PlannedFile } from './plan.ts';

/** People who only look at received files. The others can be members of private channels too, except the admins. */
export const watchers = ['Dan', 'Eve'];
/** An admin who moves files to #board. */
export const mover = 'Mia';
export const boardName = 'board';

/** How long the bots know who is in a channel, instead of a minute. */
export const membersMaxAgeMs = 500;

/** An inbox channel with the files of one sender. */
export interface PlannedChannel {
  name: string;
  kind: 'private' | 'public';
  sender: string;
  /** The names of its members at first. */
  members: string[];
  /** Who joins it or leaves it, if they are a member. */
  changes: { afterMs: number; person: string }[];
  hasDigest: boolean;
  delivery: 'private' | 'link';
}

export interface PlannedChannels {
  inboxes: PlannedChannel[];
  /** The members of #board, to which files can be moved. */
  board: string[];
  /** When the files of the first inbox channel are moved to #board, if they are. */
  moveAfterMs: number | undefined;
  /** Whether Dan can't download files. */
  isDanLimited: boolean;
}

type Random = ReturnType<typeof createRandom>;

export const channelSenders = [
  { name: 'legal', sender: 'lea@legal.example' },
  { name: 'staff', sender: 'sam@staff.example' },
];

export function planChannels(random: Random): PlannedChannels {
  const chance = (percent: number) => random.below(100) < percent;
  const candidates = ['Bo', 'Cleo', ...watchers];
  const inboxes = channelSenders.map(({ name, sender }, index): PlannedChannel => {
    const changes = Array.from({ length: random.below(4) }, () => ({
      afterMs: random.below(4_000),
      person: random.pick(candidates),
    }));
    return {
      name,
      kind: index > 0 && chance(40) ? 'public' : 'private',
      sender,
      members: candidates.filter(() => chance(50)),
      changes: changes.sort((one, other) => one.afterMs - other.afterMs),
      hasDigest: chance(20),
      delivery: chance(30) ? 'link' : 'private',
    };
  });
  const board = candidates.filter(() => chance(40));
  return {
    inboxes,
    board,
    moveAfterMs: chance(40) ? 500 + random.below(3_000) : undefined,
    isDanLimited: chance(30),
  };
}

/** Files for the inbox channels of all workspaces with the account. */
export function planChannelArrivals(
  random: Random,
  account: string,
  prefix: string,
  fileOf: (random: Random, id: string) => PlannedFile,
): Arrival[] {
  return channelSenders.flatMap(({ name, sender }) =>
    Array.from({ length: 1 + random.below(3) }, (_, number) => ({
      afterMs: random.below(3_000),
      account,
      sender,
      file: fileOf(random, `${prefix}-${name}${number}`),
    })),
  );
}
