import { isDroplineError } from '../../../lib/errors.ts';
import type { Desk } from '../../../store/index.ts';
import { deskOf } from '../../common/connection.ts';
import type { Actor, InboxItem, Services } from '../../common/services.ts';
import { type Access, expectAllowed, type MemberServices, seenAmong } from '../../settings/permission.ts';
import { fileGone, membersUnknown } from './errors.ts';
import { itemsIn } from './repository.ts';
import type { Viewer } from './seen.ts';

interface Reader {
  viewer: Viewer;
  /** Slack didn't say who is in some channels, so their items are left out. */
  areUnknown: boolean;
}

/** A person who can download, as the reader of lists. */
export async function expectViewer(services: Services, actor: Actor): Promise<Reader & { access: Access }> {
  const access = await expectAllowed(services, actor, 'download');
  return { access, ...(await viewerOf(services, await deskOf(services, actor), access)) };
}

/** A person as the reader of lists. Without the permission to download, the lists are empty. */
export async function viewerOf(
  services: Services,
  { workspace, account }: Required<Desk>,
  { facts }: Access,
): Promise<Reader> {
  const owners = await itemsIn(services.store, workspace, account).listOwners();
  const { seen, areUnknown } = await seenAmong(services, { workspace, facts }, owners);
  return { viewer: { workspace, account, person: facts.person, owners: seen }, areUnknown };
}

/** Whether the person sees the answers to their requests. Rejects if Slack doesn't say. */
export async function seesAnswers(services: MemberServices, requester: Actor): Promise<boolean> {
  try {
    await expectAllowed(services, requester, 'see', { belongsTo: requester.person });
    return true;
  } catch (error) {
    if (!isDroplineError(error, 'not-allowed')) throw error;
    return false;
  }
}

/** Rejects unless the person sees the item now. To others, it doesn't exist. */
export async function expectSeen(
  services: Pick<Services, 'people'>,
  workspace: string,
  { facts }: Access,
  item: InboxItem | undefined,
): Promise<InboxItem> {
  if (item === undefined) throw fileGone();
  const { seen, areUnknown } = await seenAmong(services, { workspace, facts }, item.belongsTo);
  if (seen.length > 0) return item;
  throw areUnknown ? membersUnknown() : fileGone();
}
