import { connectionOf } from '../../common/connection.ts';
import type { Actor, InboxItem, Services } from '../../common/services.ts';
import { fileGone } from './errors.ts';
import { itemsIn } from './repository.ts';

/** Finds an item by its id, only among the items of this workspace. */
export async function findItem(services: Services, { workspace }: Actor, id: string): Promise<InboxItem> {
  const { exchange } = await connectionOf(services, workspace);
  const item = await itemsIn(services.store, workspace, exchange.account).findById(id);
  if (item === undefined) throw fileGone();
  return item;
}
