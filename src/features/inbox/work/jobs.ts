import type pg from 'pg';
import { handlerOf, type JobHandler, jobKind } from '../../../jobs/index.ts';
import { isDroplineError } from '../../../lib/errors.ts';
import { type ActorIds, actorWith } from '../../common/connection.ts';
import type { Services, WorkNotice } from '../../common/services.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { findItem } from '../items/operations.ts';

const workKind = jobKind('inbox-work', ['workspace', 'desk', 'item', 'person', 'by', 'what']);

interface ChangedWork extends ActorIds {
  /** The item's id. */
  item: string;
  by: string;
  what: WorkNotice;
}

/** Queues a message to the person who had taken an item: `person`. A newer one to them about the same item replaces it. */
export async function queueWorkChanged(
  { queue }: Pick<Services, 'queue'>,
  changed: ChangedWork,
  within: pg.ClientBase,
): Promise<void> {
  const { workspace, item, person } = changed;
  await queue.add(workKind, { ...changed }, { key: `inbox-work ${workspace} ${item} ${person}`, within });
}

/** Tells a person what someone else did with an item that they had taken. */
export function workChangedJob(services: Services): JobHandler {
  return handlerOf<ActorIds & { item: string; by: string; what: string }>({
    kind: workKind,
    async run({ workspace, desk, person, item: id, by, what }, { step }) {
      const holder = await actorWith(services, { workspace, desk, person });
      try {
        // Someone who has left the channel, or can no longer download, gets no messages about its files.
        const item = await findItem(services, holder, await expectAllowed(services, holder, 'download'), id);
        await step('notify', () => services.notifier.workChanged(holder, { item, by, what: what as WorkNotice }));
      } catch (error) {
        if (!isDroplineError(error, 'not-connected', 'not-allowed', 'not-found')) throw error;
      }
    },
    async giveUp({ workspace, person }, error) {
      services.log.error({ workspace, person, operation: 'inbox work', err: error }, 'person not notified');
    },
  });
}
