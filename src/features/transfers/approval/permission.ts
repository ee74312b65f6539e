import type { Actor, Services } from '../../common/services.ts';
import { outsidersRefused } from '../../settings/errors.ts';
import { readSettings, type Settings } from '../../settings/repository.ts';
import type { Transfer } from '../repository.ts';
import { notAnApprover, ownTransfer } from './errors.ts';

/** Whether the person can approve other people's transfers now. */
export async function isApprover(
  { people }: Pick<Services, 'people'>,
  { policies }: Settings,
  { workspace, person }: Actor,
): Promise<boolean> {
  const { approvers, channel } = policies.approval;
  if ((await people.roleOf({ workspace, person })) === 'none') return false;
  if (approvers.includes(person)) return true;
  return channel !== undefined && (await people.membersOf(workspace, channel)).includes(person);
}

/** Rejects unless the person can decide on the transfer now. A sender never can, whatever the settings say. */
export async function expectApprover(
  services: Pick<Services, 'store' | 'people'>,
  actor: Actor,
  transfer: Transfer,
): Promise<void> {
  const role = await services.people.roleOf(actor);
  if (role === 'none') throw outsidersRefused();
  if (actor.person === transfer.person) throw ownTransfer();
  if (!(await isApprover(services, await readSettings(services, actor.workspace), actor))) throw notAnApprover();
}

/** How many people's roles are looked up at most to find one who can approve. */
const maxRoleLookups = 50;

/** Whether someone other than the sender could approve now. */
export async function hasOtherApprover(
  { people }: Pick<Services, 'people'>,
  { policies }: Settings,
  { workspace, person: sender }: Actor,
): Promise<boolean> {
  const { approvers, channel } = policies.approval;
  const members = channel === undefined ? [] : await people.membersOf(workspace, channel);
  const others = [...new Set([...approvers, ...members])].filter((person) => person !== sender);
  for (const person of others.slice(0, maxRoleLookups)) {
    if ((await people.roleOf({ workspace, person })) !== 'none') return true;
  }
  // With more people than that, it is safe to assume that one of them can.
  return others.length > maxRoleLookups;
}
