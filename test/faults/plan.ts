import type { PauseTarget } from '../../src/features/pause/repository.ts';
import type { Behaviour } from '../../src/sandbox/exchange/index.ts';
import { testMalware } from '../../src/sandbox/scanner.ts';
import { createRandom } from '../helpers/seeded.ts';
import type { PlannedFault } from './fault-spec.ts';
import { channelSenders, type PlannedChannels, planChannelArrivals, planChannels } from './plan-channels.ts';
import { planFaults, planMemberFaults } from './plan-faults.ts';

export interface PlannedFile {
  name: string;
  data: string;
}

export interface Contact {
  email: string;
  number: string;
  nick: string;
  /** An unknown field, which must stay unchanged. */
  odd?: unknown;
}

interface ActionOf<Kind extends string> {
  kind: Kind;
  /** Unique within the seed; the action's files, messages and names contain it. */
  id: string;
  /** The pause since the previous action. */
  pauseMs: number;
}

export interface Send extends ActionOf<'send'> {
  by: 'form' | 'staged' | 'shortcut';
  files: PlannedFile[];
  to: Contact[];
  message: string;
  expiresAfter: number;
  isClickedTwice: boolean;
  isCancelled: boolean;
  /** Whether the person clicks Undo at once, which can come too late. */
  isUndone?: boolean;
  /** Set if it is planned for later: whether the person then leaves it, sends it now or cancels it. */
  planned?: 'left' | 'sent now' | 'cancelled';
  /** Whether the person clicks Send again once the transfer is sent. */
  isRepeated?: boolean;
}

export interface Request extends ActionOf<'request'> {
  to: Contact[];
  message: string;
  /** The points of the checklist. */
  points?: string[];
  /** Set if a contact uploads this file, so that the person can tick off points, and ask again for the others. */
  answer?: PlannedFile;
  /** How many points the person ticks off, from the first. */
  ticks?: number;
  isAskedAgain?: boolean;
  expiresAfter: number;
  isClickedTwice: boolean;
}

export interface Edit extends ActionOf<'add' | 'edit' | 'remove'> {
  /** The contact after the edit, or before its removal. */
  contact: Contact;
  by: 'form' | 'command';
}

export interface Fetch extends ActionOf<'fetch'> {
  file: string;
  isClickedTwice: boolean;
  /** Whether the person downloads all files of the list. */
  isAll?: boolean;
}

export type Action = Send | Request | Edit | Fetch;

/** A file that someone outside sends to an account. */
export interface Arrival {
  afterMs: number;
  account: string;
  sender: string;
  file: PlannedFile;
}

export interface PlannedPerson {
  name: string;
  actions: Action[];
}

export interface PlannedWorkspace {
  name: string;
  account: string;
  people: PlannedPerson[];
  /** Whether every transfer and request needs the approval of another person. */
  needsApproval?: boolean;
  /** How often the inbox channel gets a digest at first; undefined if each item is posted separately. */
  digest?: 'hour' | 'day';
  /** Whether the admin turns the digest off after their actions. */
  endsDigest?: boolean;
  /** What admins pause for a while. */
  pauses?: PlannedPause[];
  /** Whether posts of inbox items have Take and Done. */
  hasWork?: boolean;
  /** Inbox channels beside #inbox. */
  channels?: PlannedChannels | undefined;
}

export interface PlannedPause {
  target: PauseTarget;
  afterMs: number;
  forMs: number;
}

/** All actions and faults of one run. Depends only on the seed. */
export interface Plan {
  seed: number;
  /** How the service behaves where its documentation leaves it open. */
  service: Partial<Behaviour>;
  accounts: { name: string; contacts: Contact[] }[];
  workspaces: PlannedWorkspace[];
  arrivals: Arrival[];
  /** Files for the inbox channels beside #inbox. */
  channelArrivals?: Arrival[];
  faults: PlannedFault[];
}

const names = ['Anna', 'Bo', 'Cleo'];
const kinds = ['send', 'send', 'send', 'send', 'request', 'add', 'edit', 'remove', 'fetch', 'fetch'] as const;

type Random = ReturnType<typeof createRandom>;

export function planOf(seed: number): Plan {
  const random = createRandom(seed);
  const chance = (percent: number) => random.below(100) < percent;
  // Two workspaces can share an account.
  const accountNames = chance(30) ? ['both'] : ['one', 'two'];
  const accounts = accountNames.map((name) => ({
    name: `s${seed}-${name}@example.com`,
    contacts: [...Array.from({ length: 12 }, (_, number) => contactOf(`c${number}`, number)), ...channelContacts],
  }));
  const arrivals = accounts.flatMap(({ name }, index) =>
    Array.from({ length: 1 + random.below(4) }, (_, number) => {
      const id = `s${seed}-in${index}${number}`;
      const sender = chance(50) ? `${id}@elsewhere.example` : `c${random.below(4)}@example.org`;
      return { afterMs: random.below(2_500), account: name, sender, file: fileOf(random, id) };
    }),
  );
  let actionCount = 0;
  const planned = ['North', 'South'].map((region, index): PlannedWorkspace => {
    const account = accounts[Math.min(index, accounts.length - 1)]?.name ?? '';
    const inboxFiles = arrivals.filter((arrival) => arrival.account === account).map(({ file }) => file.name);
    const people = names.map((name) => ({
      name,
      actions: Array.from({ length: 1 + random.below(2) }, () => {
        actionCount += 1;
        return planAction(random, `s${seed}-a${actionCount}`, actionCount, inboxFiles);
      }),
    }));
    return { name: `${region} ${seed}`, account, people };
  });
  const faults = planFaults(random);
  const plan = { seed, service: planService(random), accounts, arrivals, faults };
  // From here on, each feature has its own random sequence, so that adding it didn't change the rest of a seed's plan.
  const approvals = createRandom(seed + 500_000);
  const withApproval = planned.map((one) => ({ ...one, needsApproval: approvals.below(100) < 40 }));
  const digests = createRandom(seed + 600_000);
  const withDigests = withApproval.map((one) => {
    const digest = digests.pick([undefined, undefined, 'hour', 'day'] as const);
    return digest === undefined ? one : { ...one, digest, endsDigest: digests.below(100) < 60 };
  });
  const withPauses = withPausesOf(['sending'], withDigests, createRandom(seed + 700_000));
  const work = createRandom(seed + 800_000);
  const withWork = withPauses.map((one) => ({ ...one, hasWork: work.below(100) < 50 }));
  const withAll = withDownloadAll(withWork, createRandom(seed + 900_000));
  const repeats = createRandom(seed + 1_000_000);
  const withRepeated = withAll.map((one) => withRepeats(repeats, one));
  const withAllPauses = withPausesOf(['requests', 'downloads'], withRepeated, createRandom(seed + 1_100_000));
  const withAnswers = withTicks(withAllPauses, createRandom(seed + 1_200_000));
  const withAllUndo = withUndo(withAnswers, createRandom(seed + 1_300_000));
  const withAllPlanned = withPlanned(withAllUndo, createRandom(seed + 1_500_000));
  const channels = createRandom(seed + 1_400_000);
  return {
    ...plan,
    workspaces: withAllPlanned.map((one) => ({
      ...withPrivateSenders(one, channels),
      channels: planChannels(channels),
    })),
    channelArrivals: accounts.flatMap(({ name }, index) =>
      planChannelArrivals(channels, name, `s${seed}-ch${index}`, fileOf),
    ),
    faults: [...faults, ...planMemberFaults(channels)],
  };
}

/** Asks the senders of private channels too. */
function withPrivateSenders(workspace: PlannedWorkspace, random: Random): PlannedWorkspace {
  return changeActions(workspace, (action) => {
    const isChosen = random.below(100) < 30;
    return action.kind === 'request' && isChosen
      ? { ...action, to: [...action.to, random.pick(channelContacts)] }
      : action;
  });
}

/** The plan with #inbox as the only inbox channel, which takes less CPU time. */
export const withoutChannels = (plan: Plan): Plan => ({
  ...plan,
  workspaces: plan.workspaces.map((one) => ({ ...one, channels: undefined })),
  channelArrivals: [],
});

function withPausesOf(targets: PauseTarget[], workspaces: PlannedWorkspace[], random: Random): PlannedWorkspace[] {
  return workspaces.map((one) => {
    const drawn = targets.flatMap((target): PlannedPause[] => {
      const [afterMs, forMs] = [random.below(1_500), 200 + random.below(2_000)];
      return random.below(100) < 30 ? [{ target, afterMs, forMs }] : [];
    });
    return { ...one, pauses: [...(one.pauses ?? []), ...drawn] };
  });
}

function withDownloadAll(workspaces: PlannedWorkspace[], random: Random): PlannedWorkspace[] {
  return workspaces.map((one) =>
    changeActions(one, (action) => (action.kind === 'fetch' ? { ...action, isAll: random.below(100) < 40 } : action)),
  );
}

function withUndo(workspaces: PlannedWorkspace[], random: Random): PlannedWorkspace[] {
  return workspaces.map((one) =>
    changeActions(one, (action) => {
      const isUndone = random.below(100) < 15;
      const isChosen = action.kind === 'send' && !action.isCancelled && action.isRepeated !== true;
      return isChosen ? { ...action, isUndone } : action;
    }),
  );
}

function withPlanned(workspaces: PlannedWorkspace[], random: Random): PlannedWorkspace[] {
  return workspaces.map((one) =>
    changeActions(one, (action) => {
      const [isDrawn, planned] = [random.below(100) < 40, random.pick(['left', 'sent now', 'cancelled'] as const)];
      if (action.kind !== 'send' || !isDrawn) return action;
      const isPlain = !action.isCancelled && action.isUndone !== true && action.isRepeated !== true;
      return isPlain ? { ...action, planned } : action;
    }),
  );
}

/** Adds answers to requests with a checklist, points that are ticked off, and clicks on Ask again. */
function withTicks(workspaces: PlannedWorkspace[], random: Random): PlannedWorkspace[] {
  const changed = (action: Action): Action => {
    if (action.kind !== 'request' || action.points === undefined) return action;
    const { length } = action.points;
    const ticks = random.below(length + 1);
    const isAskedAgain = random.below(100) < 70 && ticks < length;
    return { ...action, answer: fileOf(random, `${action.id}-answer`), ticks, isAskedAgain };
  };
  return workspaces.map((one) => changeActions(one, changed));
}

function changeActions(workspace: PlannedWorkspace, change: (action: Action) => Action): PlannedWorkspace {
  const people = workspace.people.map(({ name, actions }) => ({ name, actions: actions.map(change) }));
  return { ...workspace, people };
}

/** Makes some sends repeated, and gives some requests a checklist. */
function withRepeats(random: Random, workspace: PlannedWorkspace): PlannedWorkspace {
  const changed = (action: Action): Action => {
    const isChosen = random.below(100) < 40;
    if (action.kind === 'send') return { ...action, isRepeated: isChosen && !action.isCancelled };
    if (action.kind !== 'request' || !isChosen) return action;
    const points = Array.from({ length: 1 + random.below(3) }, (_, number) => `Point ${number} of ${action.id}`);
    return { ...action, points };
  };
  return changeActions(workspace, changed);
}

/** The message that the contacts of a request get: its text and the checklist. */
export const messageOf = ({ message, points = [] }: Pick<Request, 'message' | 'points'>): string =>
  points.length === 0 ? message : `${message}\n\n${points.map((point) => `- ${point}`).join('\n')}`;

const planService = (random: Random): Partial<Behaviour> => ({
  uploadsAfterDispatch: random.pick(['kept', 'cleared']),
  failure: random.pick(['status', 'html', 'json', 'empty']),
  status: random.pick(['plain', 'structured']),
  liveDropsField: random.pick(['live_drops', 'live_drop']),
  downloadFraming: random.pick(['length', 'chunked']),
  historyLag: random.below(2),
});

const contactOf = (name: string, number: number): Contact => ({
  email: `${name}@example.org`,
  number: String(46_700_000_000 + number),
  nick: `Contact ${name}`,
  ...(number === 3 && { odd: { kept: [1, 'two'], empty: null } }),
});

const channelContacts = channelSenders.map(({ name, sender }, index) => ({
  ...contactOf(name, 900 + index),
  email: sender,
}));

/** Recipients are never edited, and every other contact is edited by one action at most. */
const recipients = [0, 1, 2, 3].map((number) => contactOf(`c${number}`, number));

function planAction(random: Random, id: string, number: number, inboxFiles: readonly string[]): Action {
  const chance = (percent: number) => random.below(100) < percent;
  const kind = random.pick(kinds);
  const base = { id, pauseMs: random.below(500) };
  const from = random.below(recipients.length);
  const to = [...recipients, ...recipients].slice(from, from + 1 + random.below(2));
  const editable = number <= 8 ? contactOf(`c${number + 3}`, number + 3) : undefined;
  switch (kind) {
    case 'send':
      return {
        ...base,
        kind,
        by: random.pick(['form', 'form', 'staged', 'shortcut']),
        files: Array.from({ length: 1 + random.below(3) }, (_, file) => fileOf(random, `${id}-${file}`)),
        to,
        message: `The message of ${id}`,
        expiresAfter: 1 + random.below(9),
        isClickedTwice: chance(25),
        isCancelled: chance(15),
      };
    case 'request':
      return { ...base, kind, to, message: `The question of ${id}`, expiresAfter: 3, isClickedTwice: chance(25) };
    case 'fetch':
      return { ...base, kind, file: random.pick(inboxFiles), isClickedTwice: chance(40) };
    case 'edit':
    case 'remove':
      if (editable !== undefined) {
        const contact = kind === 'edit' ? { ...editable, nick: `Renamed by ${id}` } : editable;
        return { ...base, kind, by: 'form', contact };
      }
  }
  const added = contactOf(id, 100 + number);
  return { ...base, kind: 'add', by: random.pick(['form', 'command']), contact: { ...added, nick: `New by ${id}` } };
}

function fileOf(random: Random, id: string): PlannedFile {
  const size = random.pick([20, 5_000, 5_000, 200_000]);
  const end = random.below(100) < 8 ? testMalware : '';
  return { name: `${id}.txt`, data: `${`the content of ${id}; `.repeat(Math.ceil(size / 20))}${end}` };
}

export const isInfected = ({ data }: PlannedFile): boolean => data.includes(testMalware);
