import type pg from 'pg';
import { jobKind } from '../../../jobs/index.ts';
import { isDirect } from '../../../lib/conversations.ts';
import { inTransaction } from '../../../store/index.ts';
import { audited } from '../../common/audited.ts';
import { deskOf } from '../../common/connection.ts';
import type { Actor, Services } from '../../common/services.ts';
import { queueAdminNotice } from '../../settings/jobs.ts';
import { adminsOnly, expectAllowed } from '../../settings/permission.ts';
import { peopleWhoSetUp } from '../../settings/repository.ts';
import { nothingToMove } from '../items/errors.ts';
import { queueAnnouncement } from '../items/jobs.ts';
import { itemsOf } from '../items/operations.ts';

export const movedKind = jobKind('files-moved', ['workspace', 'movedFrom', 'channel', 'person']);

/** Queues what tells the earlier channel or person, and the new channel, that an admin moved their files. */
async function queueMovedNotices(
  { queue }: Pick<Services, 'queue'>,
  { workspace, person }: Actor,
  from: string,
  to: string,
  within: pg.ClientBase,
): Promise<void> {
  await queue.add(movedKind, { workspace, movedFrom: from, channel: to, person }, { within });
}

/** The channels and people that items belong to. Admins see these, but not the items. */
export async function listOwners(services: Services, admin: Actor): Promise<string[]> {
  await expectAllowed(services, admin, 'admin');
  return (await itemsOf(services, admin)).listOwners();
}

/**
 * Moves everything that was announced for a channel or a person to a private channel, without the admin seeing it, and
 * queues what tells both channels and the known admins. What waits to be announced follows the settings instead.
 */
export function moveItems(services: Services, admin: Actor, from: string, to: string): Promise<number> {
  return audited(services, admin, 'move files', async ({ addDetails, record }) => {
    addDetails({ movedFrom: ownerDetail(from), movedTo: { channel: to } });
    const { settings } = await expectAllowed(services, admin, 'admin');
    const { store } = services;
    const desk = await deskOf(services, admin);
    const items = await itemsOf(services, desk);
    const people = [...(await peopleWhoSetUp(store, desk.workspace)), ...settings.admins];
    return inTransaction(store.pool, async (client) => {
      const moved = await items.move(client, from, to);
      if (moved === 0) throw nothingToMove();
      await record(client, { items: moved });
      await queueAdminNotice(client, services, admin, people, [
        ['moved received files from ', ownerDetail(from), ' to ', { channel: to }],
      ]);
      await queueMovedNotices(services, admin, from, to, client);
      // Updates the posts in the earlier channel.
      await queueAnnouncement(services, desk, client, 'news');
      return moved;
    });
  });
}

const ownerDetail = (owner: string) => {
  if (owner === adminsOnly) return 'no channel';
  return isDirect(owner) ? { user: owner } : { channel: owner };
};
