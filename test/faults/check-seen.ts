import type { FinalList } from './actions-channels.ts';
import { boardName, channelSenders, membersMaxAgeMs, type PlannedChannels } from './plan-channels.ts';

/** A person was in a channel from then on. People are given by name. */
export interface Membership {
  workspace: string;
  channel: string;
  person: string;
  from: number;
  until: number | undefined;
}

/** The name of a file, or a number of files from a sender, that the bot showed to a person or posted in a channel. */
export interface Sighting {
  workspace: string;
  person?: string;
  channel?: string;
  file: string;
  at: number;
  /** The kind of view or the beginning of the message. */
  where?: string;
}

export interface SeenFacts {
  workspace: string;
  channels: PlannedChannels;
  memberships: readonly Membership[];
  sightings: readonly Sighting[];
  /** When files of #legal were moved to #board. */
  movedAt: number | undefined;
  /** Who asked the senders of answers, by the name of the answer. */
  requesters: ReadonlyMap<string, readonly string[]>;
  /** From then on, no fault delays anything. */
  calmFrom: number;
  /** What the lists showed at the end; none if the run has other violations, or a busy machine was too slow. */
  lists: readonly FinalList[];
  /** What each file belongs to at the end, by the name of the channel. */
  owners: ReadonlyMap<string, string>;
}

/** A call of Slack can be retried this long after the check of a right, or a file be sent so long after it. */
const delayMs = 15_000;
/** The clocks of Postgres and of this process can differ a little. */
const moveToleranceMs = 1_500;

/** No one sees a file that isn't theirs, or a number of such files; at the end, everyone sees all that is. */
export function checkSeen(facts: SeenFacts): string[] {
  const { workspace, sightings } = facts;
  const wrong = sightings.filter((sighting) => !isAllowed(facts, sighting));
  const texts = wrong.map(
    ({ person, channel, file, where = '', at }) =>
      `${person ?? `#${channel}`} saw ${file} of another channel (${where}, ${at - facts.calmFrom} ms after the faults)`,
  );
  return [...new Set([...texts, ...checkOwners(facts), ...checkLists(facts)])].map((text) => `${workspace}: ${text}`);
}

function isAllowed(facts: SeenFacts, { file, person, channel, at }: Sighting): boolean {
  const { channels, movedAt, requesters } = facts;
  const answer = requesters.get(file);
  if (answer !== undefined) return person !== undefined && answer.includes(person);
  const planned = channelOf(channels, file);
  if (planned === undefined) return true;
  const isMoved = planned.name === movedName && movedAt !== undefined && at >= movedAt - moveToleranceMs;
  const owners = [planned.name, ...(isMoved ? [boardName] : [])];
  // Slack shows a channel only to its members.
  if (channel !== undefined) return owners.includes(channel) || planned.kind === 'public';
  if (person === 'Dan' && channels.isDanLimited) return false;
  return planned.kind === 'public' || owners.some((owner) => wasMember(facts, owner, person, at));
}

/** The channel whose files are moved. */
const movedName = channelSenders[0]?.name ?? '';

const channelOf = ({ inboxes }: PlannedChannels, file: string) =>
  inboxes.find(({ name, sender }) => file.includes(`-${name}`) || file.endsWith(`from ${sender}`));

function wasMember({ memberships, calmFrom }: SeenFacts, owner: string, person = '', at: number): boolean {
  const delay = at >= calmFrom ? membersMaxAgeMs : delayMs;
  return memberships.some(
    ({ channel, person: member, from, until = Number.POSITIVE_INFINITY }) =>
      channel === owner && member === person && from <= at && until >= at - delay,
  );
}

function checkOwners({ channels, movedAt, owners }: SeenFacts): string[] {
  return [...owners].flatMap(([file, owner]) => {
    const { name } = channelOf(channels, file) ?? {};
    const isRight = name === owner || (owner === boardName && name === movedName && movedAt !== undefined);
    return name === undefined || isRight ? [] : [`${file} belongs to ${owner}`];
  });
}

/** At the end, a list has exactly the files that the person can see, and counts them. */
function checkLists({ channels, memberships, owners, lists }: SeenFacts): string[] {
  const isSeen = (person: string, file: string, owner: string) =>
    channelOf(channels, file)?.kind === 'public' ||
    memberships.some((one) => one.channel === owner && one.person === person && one.until === undefined);
  return lists.flatMap(({ person, files, total }) => {
    const isLimited = person === 'Dan' && channels.isDanLimited;
    const expected = isLimited
      ? []
      : [...owners].filter(([file, owner]) => isSeen(person, file, owner)).map(([file]) => file);
    const shown = files.filter((file) => file.endsWith('.txt'));
    const isSame = expected.length === total && [...expected].sort().join() === [...shown].sort().join();
    return isSame
      ? []
      : [`the list of ${person} has ${total} items (${shown}) instead of ${expected.length} (${expected})`];
  });
}
