import type { Contact, ContactLists } from '../../exchange/index.ts';
import type { Actor, Services } from '../common/services.ts';
import { type Chosen, type ContactWithEmail, contactsByAddress, groupsOf } from '../contacts/list/ids.ts';
import { contactsOf } from '../contacts/list/operations.ts';
import { expectAllowed } from '../settings/permission.ts';
import { changeDraft, type Draft } from '../staging/repository.ts';
import { notContacts } from './errors.ts';

/**
 * Saves a person's recipients for their next transfer. They are sent to the service only with that transfer, because
 * all people share the account's list of recipients.
 */
export async function chooseRecipients(services: Services, actor: Actor, chosen: Chosen): Promise<Draft> {
  await expectAllowed(services, actor, 'send');
  expandRecipients(await contactsOf(services, actor), chosen);
  const { recipients, groups } = chosen;
  return changeDraft(services, actor, () => ({ recipients: [...recipients], groups: [...groups] }));
}

export async function clearRecipients(services: Services, actor: Actor): Promise<Draft> {
  await expectAllowed(services, actor, 'view');
  return changeDraft(services, actor, () => ({ recipients: [], groups: [] }));
}

/** Expands groups, and returns each recipient once. Throws if an address or a group isn't in the contacts. */
export function expandRecipients(lists: ContactLists, { recipients, groups }: Chosen): ContactWithEmail[] {
  const byEmail = contactsByAddress(lists);
  const membersByGroup = groupsOf(lists);
  const missing = [
    ...recipients.filter((email) => !byEmail.has(email.toLowerCase())),
    ...groups.filter((group) => !membersByGroup.has(group)),
  ];
  if (missing.length > 0) throw notContacts(missing);
  const members = groups.flatMap((group) => membersByGroup.get(group) ?? []);
  const contacts = [...recipients.map((email) => byEmail.get(email.toLowerCase()) as Contact), ...members];
  const expanded = new Map<string, ContactWithEmail>();
  for (const contact of contacts) {
    const { email } = contact;
    if (email !== undefined && !expanded.has(email.toLowerCase()))
      expanded.set(email.toLowerCase(), { ...contact, email });
  }
  return [...expanded.values()];
}
