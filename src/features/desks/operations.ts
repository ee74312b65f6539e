import { z } from 'zod';
import { accountKey, noDesk } from '../../store/index.ts';
import { isItemId } from '../common/ids.ts';
import type { Actor, Services } from '../common/services.ts';
import { editsIn } from '../contacts/edit/repository.ts';
import { accountsOfItems } from '../inbox/items/repository.ts';
import { chooseDesk, type DeskOfPerson, desksOf, lastDeskOf } from '../settings/membership.ts';
import { transfersIn } from '../transfers/repository.ts';

/** What an interaction says about the desk that the person means. */
export interface DeskHints {
  /** The key that a modal carries or an option names. */
  key?: string | undefined;
  /** The value of a clicked button, with ids of transfers, items or edits. */
  clicked?: string | undefined;
  channel?: string | undefined;
}

/** What an interaction works on. Only one of the two is set. */
interface Found {
  account?: string;
  /** The key of the workspace's only account. */
  onlyKey?: string;
}

/**
 * The account to work on: the one that the form or the button is about; else the one whose channel the person is in;
 * else the person's only one; else the one used last; `noDesk` if the person doesn't belong to it. None if the workspace
 * has only one account.
 */
export async function accountFor(
  services: Pick<Services, 'store' | 'people'>,
  actor: Actor,
  { key, clicked = '', channel }: DeskHints = {},
): Promise<Found> {
  const connected = await services.store.credentials.list(actor.workspace);
  const desks = await desksOf(services, actor, connected);
  if (desks === undefined) {
    const [only] = connected.keys();
    return { onlyKey: only && accountKey(only) };
  }
  const named = key ?? (await deskOfClick(services, actor.workspace, clicked, channel, desks))?.key;
  if (named !== undefined) return { account: await chooseDesk(services, actor, named) };
  const last = await lastDeskOf(services, actor);
  const known = desks.filter(({ isUnknown }) => !isUnknown);
  return { account: (known.find((desk) => desk.key === last) ?? known[0] ?? desks[0])?.account ?? noDesk };
}

/** The desk of what the button names, or of the channel. */
async function deskOfClick(
  { store }: Pick<Services, 'store'>,
  workspace: string,
  clicked: string,
  channel: string | undefined,
  desks: readonly DeskOfPerson[],
): Promise<DeskOfPerson | undefined> {
  const ids = clicked.match(idPattern) ?? [];
  const uuids = ids.filter((id) => z.uuid().safeParse(id).success);
  const named = await Promise.all([
    transfersIn(store).accountsOf(workspace, uuids),
    editsIn(store).accountsOf(workspace, uuids),
    accountsOfItems(
      store,
      workspace,
      desks.map(({ account }) => account),
      ids.filter(isItemId),
    ),
  ]);
  const ofRows = desks.filter(({ account }) => named.flat().includes(account));
  // Items of two accounts can have the same id.
  return deskHere(ofRows, channel) ?? ofRows[0] ?? deskHere(desks, channel);
}

function deskHere(desks: readonly DeskOfPerson[], channel = ''): DeskOfPerson | undefined {
  return desks.find((desk) => desk.channel === channel) ?? desks.find(({ channels }) => channels.includes(channel));
}

/** Ids of transfers and edits, and of inbox items. */
const idPattern = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{32}/g;
