import { z } from 'zod';
import { defineCollection } from '../../../store/index.ts';
import type { Actor, Services } from '../../common/services.ts';
import { outsidersRefused } from '../../settings/errors.ts';
import { readSettings, type Settings } from '../../settings/repository.ts';
import type { Transfer } from '../transfer.ts';
import { notAnApprover, ownTransfer } from './errors.ts';

/** Whether the person can approve other people's transfers now. */
export async function isApprover(
  services: MemberServices,
  { approvers, approverChannel: channel }: Settings,
  { workspace, person }: Actor,
): Promise<boolean> {
  if ((await services.people.roleOf({ workspace, person })) === 'none') return false;
  return approvers.includes(person) || (await membersOf(services, workspace, channel)).has(person);
}

type MemberServices = Pick<Services, 'store' | 'people' | 'notifier'>;

/** The approvers' channel that an admin was told is public. */
const publicChannels = defineCollection('public-approver-channel', z.object({ channel: z.string() }));

/** The members of the approvers' channel. No one if it was made public: everyone could join. An admin is told once. */
async function membersOf(
  { store, people, notifier }: MemberServices,
  workspace: string,
  channel: string | undefined,
): Promise<ReadonlySet<string>> {
  if (channel === undefined) return new Set();
  const members = await people.membersOf(workspace, channel);
  const reported = store.collection(publicChannels);
  if (members !== undefined) await reported.delete(workspace, channel);
  else if (await reported.add(workspace, { channel }, { name: channel })) {
    await notifier.alarm(workspace, { kind: 'approvers-public', channel }).catch(async (error: unknown) => {
      await reported.delete(workspace, channel);
      throw error;
    });
  }
  return members ?? new Set();
}

/** Rejects unless the person can decide on the transfer now. A sender never can, whatever the settings say. */
export async function expectApprover(services: MemberServices, actor: Actor, transfer: Transfer): Promise<void> {
  const role = await services.people.roleOf(actor, { isCurrent: true });
  if (role === 'none') throw outsidersRefused();
  if (actor.person === transfer.person) throw ownTransfer();
  if (!(await isApprover(services, await readSettings(services, actor.workspace), actor))) throw notAnApprover();
}

/** How many people's roles are looked up at most to find one who can approve. */
const maxRoleLookups = 50;

/** Whether someone other than the sender could approve now. */
export async function hasOtherApprover(
  services: MemberServices,
  { approvers, approverChannel: channel }: Settings,
  { workspace, person: sender }: Actor,
): Promise<boolean> {
  const members = await membersOf(services, workspace, channel);
  const others = [...new Set([...approvers, ...members])].filter((person) => person !== sender);
  for (const person of others.slice(0, maxRoleLookups)) {
    if ((await services.people.roleOf({ workspace, person })) !== 'none') return true;
  }
  // With more people than that, it is safe to assume that one of them can.
  return others.length > maxRoleLookups;
}
