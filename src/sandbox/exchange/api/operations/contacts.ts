import type { Answer } from '../../http/answer.ts';
import { readJson } from '../../http/request-body.ts';
import { Refusal } from '../../state/refusal.ts';
import { contactList, sameEmail } from '../../state/shapes.ts';
import { jsonReply, statusReply } from '../replies.ts';
import type { ApiRequest } from '../request.ts';

export function readContacts({ account }: ApiRequest): Answer {
  return jsonReply({ local: account.contacts.local, global: account.contacts.global });
}

export async function addContacts({ world, account, headers, body }: ApiRequest): Promise<Answer> {
  const sent = contactList(await readJson(body, headers['content-type']));
  const seen = new Set<string>();
  for (const { email } of sent) {
    if (seen.has(email.toLowerCase())) throw new Refusal(409, `${email} is in the list twice`);
    seen.add(email.toLowerCase());
  }
  const { contacts } = account;
  if (world.behaviour.contactsAdd === 'replace' || sent.length === 0) {
    contacts.local = sent;
  } else {
    const existing = [...contacts.local, ...contacts.global];
    const duplicate = sent.find((contact) => existing.some((other) => sameEmail(contact, other)));
    if (duplicate) throw new Refusal(409, `the contact ${duplicate.email} exists already`);
    contacts.local = [...contacts.local, ...sent];
  }
  return statusReply('ok', world.behaviour);
}

export async function setReceivers({ world, account, headers, body }: ApiRequest): Promise<Answer> {
  account.receivers = contactList(await readJson(body, headers['content-type']));
  return statusReply('ok', world.behaviour);
}
