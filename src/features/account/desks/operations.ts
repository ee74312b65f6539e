import { bounds } from '../../../lib/bounds.ts';
import { accountKey, type Credentials, type Desk, inTransaction, nameIn } from '../../../store/index.ts';
import { audited } from '../../common/audited.ts';
import { changeConnection } from '../../common/connection.ts';
import { accountLeft } from '../../common/errors.ts';
import type { Actor, Services } from '../../common/services.ts';
import { type PollState, pollState } from '../../inbox/poll/repository.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { type Hold, holdOf } from '../../transfers/holds/repository.ts';
import { expectDeskName, expectFreeName } from '../connect/operations.ts';

/** A connected account as all admins see it: that it exists, and its health. */
export interface DeskHealth {
  key: string;
  name: string;
  username: string;
  isLeaving: boolean;
  poll: PollState | undefined;
  hold: Hold | undefined;
}

/** All accounts of the workspace, oldest first. */
export async function listDesks(
  services: Services,
  admin: Actor,
): Promise<{ desks: DeskHealth[]; canDisconnect: boolean; canAdd: boolean }> {
  const { may } = await expectAllowed(services, admin, 'desks');
  const { store } = services;
  const { workspace } = admin;
  const connected = [...(await store.credentials.list(workspace))];
  connected.sort(([, one], [, other]) => one.connectedAt - other.connectedAt);
  const desks = connected.map(async ([account, credentials]): Promise<DeskHealth> => {
    const desk = { workspace, account };
    return {
      key: accountKey(account),
      name: nameIn(credentials),
      username: credentials.username,
      isLeaving: credentials.leavingSince !== undefined,
      poll: await pollState(store.pool, desk),
      hold: await holdOf(store.pool, account),
    };
  });
  const canAdd = connected.length < bounds.desks;
  return { desks: await Promise.all(desks), canDisconnect: may('disconnect'), canAdd };
}

/** The account with this key. @param key untrusted */
export async function readDesk(
  services: Services,
  admin: Actor,
  key: string,
): Promise<{ desk: Required<Desk>; credentials: Credentials }> {
  await expectAllowed(services, admin, 'desks');
  const { credentials } = services.store;
  const desk = await credentials.deskWith({ workspace: admin.workspace, desk: key });
  const found = desk && (await credentials.get(desk));
  if (desk === undefined || found === undefined) throw accountLeft();
  return { desk, credentials: found };
}

export function renameDesk(services: Services, admin: Actor, key: string, typed: string): Promise<void> {
  return audited(services, { ...admin, account: undefined }, 'rename desk', async ({ addDetails, record }) => {
    const { store } = services;
    const { workspace } = admin;
    const name = expectDeskName(typed);
    const { desk } = await readDesk(services, admin, key);
    await changeConnection(services, workspace, async () => {
      const connected = await store.credentials.list(workspace);
      const before = connected.get(desk.account);
      if (before === undefined) throw accountLeft();
      addDetails({ desk: nameIn(before), renamedTo: name });
      connected.delete(desk.account);
      expectFreeName(connected, name);
      await inTransaction(store.pool, async (client) => {
        await store.credentials.set(workspace, { ...before, name }, { within: client });
        await record(client);
      });
    });
  });
}
