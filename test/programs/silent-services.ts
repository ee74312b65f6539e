import { defaultTiming } from '../../src/features/common/services.ts';
import { createSharedWork } from '../../src/features/common/shared-work.ts';
import { createContactCaches } from '../../src/features/contacts/list/operations.ts';
import { transferKinds } from '../../src/features/transfer-kinds.ts';
import type { TransferServices } from '../../src/features/transfers/kind.ts';
import type { Queue } from '../../src/jobs/index.ts';
import type { Store } from '../../src/store/index.ts';

/** Creates the services of a process without Slack: no notifications, and no files to send. */
export function silentServices(store: Store, queue: Queue, connectTo: TransferServices['connectTo']): TransferServices {
  return {
    kinds: transferKinds,
    store,
    queue,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    connectTo,
    people: {
      roleOf: async ({ person }) => (person === 'U-admin' ? 'admin' : 'member'),
      zoneOf: async () => 'UTC',
      membersOf: async () => new Set(),
      isGuest: async () => false,
      everyoneIn: async () => [],
      channelState: async () => ({ isPrivate: true }),
    },
    sources: {
      inspect: async () => undefined,
      open: async () => {
        throw new Error('no such file');
      },
    },
    notifier: {
      progress() {},
      transferEnded: async () => {},
      approvalChanged: async () => {},
      transferPaused: async () => {},
      workChanged: async () => {},
      alarm: async () => {},
      contactsEdited: async () => {},
      disconnected: async () => {},
      adminNotice: async () => {},
      channelChosen: async () => {},
      guestsFound: async () => {},
    },
    announcer: {
      postItems: async () => ({ location: { channel: 'C1', ts: '1.1' }, belongsTo: ['C1'] }),
      postSummary: async () => ({ belongsTo: ['C1'] }),
      postBaseline: async () => {},
      updatePost: async () => {},
    },
    contactCaches: createContactCaches({ contactsTtlMs: 0 }),
    ...createSharedWork(),
    timing: {
      ...defaultTiming,
      reconcilePauseMs: 20,
      verifyPausesMs: [0, 10, 20],
      contactsTtlMs: 0,
      stateCheckMs: 200,
      // Late checks would add jobs for the next hours and block tests that wait for the last job.
      lateCheckPausesMs: [],
    },
  };
}
