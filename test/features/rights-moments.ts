import { exportAudit } from '../../src/features/audit/export.ts';
import { searchAudit } from '../../src/features/audit/operations.ts';
import { changeContacts } from '../../src/features/contacts/edit/operations.ts';
import { contactsToChange } from '../../src/features/contacts/list/operations.ts';
import { fetchFile } from '../../src/features/inbox/download/operations.ts';
import { refreshInbox } from '../../src/features/inbox/poll/operations.ts';
import { changeSettings } from '../../src/features/settings/operations.ts';
import type { PeopleSetting } from '../../src/features/settings/repository.ts';
import { approve, readForApprover } from '../../src/features/transfers/approval/operations.ts';
import { expectOpenable } from '../../src/features/transfers/copies/operations.ts';
import { confirmRequest, prepareRequest } from '../../src/features/transfers/request/operations.ts';
import { confirmSend, prepareSend } from '../../src/features/transfers/send/operations.ts';
import { adding } from '../helpers/contacts.ts';
import { admin, anna, bo, type FeaturesSetup, until } from '../helpers/features.ts';
import { approvalSettings, confirmTransfer, draft, policyWith } from './approval.ts';

/** What Anna does at one moment. Rejects if it is refused. */
type Moment = (setup: FeaturesSetup, id: string) => Promise<unknown>;

interface Right {
  setting: PeopleSetting;
  /** What has to be there. Resolves with an id for the moments. */
  begin?: (setup: FeaturesSetup) => Promise<string>;
  /** In this order. The id of a moment is the last one that a moment resolved with. */
  moments: Partial<Record<'open' | 'click' | 'submit' | 'job', Moment>>;
}

const signal = AbortSignal.timeout(60_000);
const noSink = async () => {};

/** Runs the job of a transfer. Rejects if it was refused. */
async function runJob(setup: FeaturesSetup, id: string): Promise<void> {
  await setup.startWorker();
  const { state, progress } = await setup.untilEnded(id);
  if (state !== 'sent') throw progress.result;
}

export const rights: Record<string, Right> = {
  send: {
    setting: 'senders',
    moments: {
      async open({ services, sourceFiles }) {
        const files = [sourceFiles.put('F1', 'plan.pdf', 'the plan')];
        return (await prepareSend(services, anna, { ...draft, files })).reviewId;
      },
      submit: async ({ services }, id) => (await confirmSend(services, anna, id)).id,
      job: runJob,
    },
  },
  request: {
    setting: 'requesters',
    moments: {
      open: async ({ services }) =>
        (
          await prepareRequest(services, anna, {
            recipients: ['carl@example.org'],
            groups: [],
            message: 'Please',
            expiresAfter: 7,
          })
        ).reviewId,
      submit: async ({ services }, id) => (await confirmRequest(services, anna, id)).id,
      job: runJob,
    },
  },
  download: {
    setting: 'downloaders',
    moments: {
      open: ({ services }) => refreshInbox(services, anna),
      // Who can download at all finds out that this file doesn't exist.
      job: ({ services }) =>
        fetchFile(services, anna, { url: 'no-such-item', name: 'x' }, noSink, { signal, onDigest() {} }).catch(
          (error: unknown) => {
            if ((error as { code?: string }).code !== 'not-found') throw error;
          },
        ),
    },
  },
  'change contacts': {
    setting: 'contactEditors',
    moments: {
      open: ({ services }) => contactsToChange(services, anna),
      submit: ({ services }) => changeContacts(services, anna, adding('new@example.org')),
      async job(setup, id) {
        await setup.startWorker();
        const { outcome } = await until(() => setup.notifications.edits.find((edit) => edit.id === id), 'the edit');
        if (outcome.state !== 'done') throw outcome;
      },
    },
  },
  approve: {
    setting: 'approvers',
    begin: (setup) => confirmTransfer(setup, {}, bo),
    moments: {
      open: async ({ services }, id) => (await readForApprover(services, anna, id)).id,
      submit: async ({ services }, id) => (await approve(services, anna, id)).transfer.id,
      // The job that gives an approver a copy of a file.
      job: ({ services }, id) => expectOpenable(services, anna, { id, file: 'F1' }, signal),
    },
  },
  audit: {
    setting: 'auditors',
    moments: {
      open: ({ services }) => searchAudit(services, anna, { limit: 10 }),
      job: ({ services }) => exportAudit(services, anna),
    },
  },
  administer: {
    setting: 'admins',
    moments: {
      submit: ({ services }) => changeSettings(services, anna, { message: 'Hello' }),
    },
  },
};

interface Way {
  /** Whom the setting names; undefined if the right comes from the role. */
  named?: string;
  gain?(setup: FeaturesSetup): void;
  lose(setup: FeaturesSetup, setting: PeopleSetting): unknown;
  rights?: readonly string[];
}

const name = (setup: FeaturesSetup, setting: PeopleSetting, ids: string[]) =>
  changeSettings(setup.services, admin, { [setting]: ids });

/** How Anna has a right, and how she loses it. */
export const ways: Record<string, Way> = {
  'left the channel': {
    named: 'C1',
    gain: ({ channelMembers }) => void channelMembers.set('C1', [anna.person]),
    lose: ({ channelMembers }) => void channelMembers.set('C1', []),
  },
  'was removed from the settings': {
    named: anna.person,
    lose: (setup, setting) => name(setup, setting, ['U-cleo']),
  },
  'is in a channel that was removed': {
    named: 'C1',
    gain: ({ channelMembers }) => void channelMembers.set('C1', [anna.person]),
    lose: (setup, setting) => name(setup, setting, ['U-cleo']),
  },
  'is in a channel that was made public': {
    named: 'C1',
    gain: ({ channelMembers }) => void channelMembers.set('C1', [anna.person]),
    lose: ({ channelMembers }) => channelMembers.delete('C1'),
  },
  'left or became a guest': {
    named: anna.person,
    lose: ({ roles }) => void roles.set(anna.person, 'none'),
  },
  'is in a channel, but became a guest': {
    named: 'C1',
    gain: ({ channelMembers }) => void channelMembers.set('C1', [anna.person]),
    lose: ({ roles }) => void roles.set(anna.person, 'none'),
  },
  'is no longer an admin in Slack': {
    gain: ({ roles }) => void roles.set(anna.person, 'admin'),
    lose: ({ roles }) => void roles.set(anna.person, 'member'),
    rights: Object.keys(rights).filter((right) => right !== 'approve'),
  },
};

/** Each right with each of its moments; without a moment, it isn't lost. */
export const cellsOf = (way: string) =>
  Object.keys(rights)
    .filter((right) => ways[way]?.rights?.includes(right) ?? true)
    .flatMap((right) =>
      [...Object.keys(rights[right]?.moments ?? {}), 'never'].map((moment) => ({ right, way, moment })),
    );

/** Each right, lost before its last moment. */
export const lastCellsOf = (way: string) =>
  cellsOf(way).filter(({ right, moment }) => moment === Object.keys(rights[right]?.moments ?? {}).at(-1));

/** Anna uses the right, and loses it before this moment. Resolves with what happened at each moment until then. */
export async function use(setup: FeaturesSetup, right: string, way: string, lostBefore: string): Promise<string[]> {
  const { setting, begin, moments } = rights[right] ?? { setting: 'senders', moments: {} };
  const { named, gain, lose } = ways[way] ?? { lose() {} };
  gain?.(setup);
  const rules = approvalSettings(
    policyWith(right === 'approve' ? { every: true, approvers: [named ?? 'U-cleo'] } : {}),
  );
  await changeSettings(setup.services, admin, {
    ...rules,
    requests: true,
    [setting]: named === undefined ? [] : [named],
  });
  let id = (await begin?.(setup)) ?? '';
  const outcomes: string[] = [];
  for (const [moment, act] of Object.entries(moments)) {
    if (moment === lostBefore) await lose(setup, setting);
    try {
      const result = await act(setup, id);
      if (typeof result === 'string') id = result;
      outcomes.push('allowed');
    } catch (error) {
      return [...outcomes, (error as { code?: string }).code ?? String(error)];
    }
  }
  return outcomes;
}

/** What `use` must resolve with. */
export function expectedOutcomes(right: string, lostBefore: string): string[] {
  const moments = Object.keys(rights[right]?.moments ?? {});
  const lost = moments.indexOf(lostBefore);
  return lost === -1 ? moments.map(() => 'allowed') : [...moments.slice(0, lost).map(() => 'allowed'), 'not-allowed'];
}
