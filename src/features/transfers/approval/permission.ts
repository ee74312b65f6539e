import type { Actor } from '../../common/services.ts';
import { type MemberServices, peopleAmong, rightsOf } from '../../settings/permission.ts';
import type { Settings } from '../../settings/repository.ts';

/** How many people's roles are looked up at most to find one who can approve. */
const maxRoleLookups = 50;

/** Whether someone other than the sender could approve now. */
export async function hasOtherApprover(
  services: MemberServices,
  { approvers }: Settings,
  { person: sender, ...desk }: Actor,
): Promise<boolean> {
  const others = (await peopleAmong(services, desk.workspace, approvers)).filter((person) => person !== sender);
  for (const person of others.slice(0, maxRoleLookups)) {
    if ((await rightsOf(services, { ...desk, person })).may('approve')) return true;
  }
  // With more people than that, it is safe to assume that one of them can.
  return others.length > maxRoleLookups;
}
