import type { Contact } from '../../src/sandbox/exchange/index.ts';
import type { TypedChange } from './contacts.ts';
import type { createRandom } from './seeded.ts';

/** Predicts a contact list after edits, with a minimal model that shares no code with `src`. */
export function createContactModel(contacts: readonly Contact[]) {
  const model = new Map(contacts.map((contact) => [contact.email, structuredClone(contact)]));

  function change(email: string, fields: object): void {
    const known = model.get(email);
    if (known === undefined) throw new Error(`${email} was changed but is not in the list`);
    model.delete(email);
    const changed = { ...known, ...fields };
    model.set(changed.email, changed);
  }

  function add(contact: Contact): void {
    if (model.has(contact.email)) throw new Error(`${contact.email} was added twice`);
    model.set(contact.email, contact);
  }

  return {
    apply(edit: TypedChange): void {
      switch (edit.kind) {
        case 'add':
          for (const contact of edit.contacts) add({ ...contact });
          break;
        case 'edit':
          change(edit.email, edit.fields);
          break;
        case 'remove':
          for (const email of edit.emails) if (!model.delete(email)) throw new Error(`${email} was removed twice`);
          break;
        case 'import':
          for (const contact of edit.contacts)
            model.has(contact.email) ? change(contact.email, contact) : add({ ...contact });
          break;
        case 'group':
          for (const email of edit.join) {
            change(email, { groups: [...new Set([...groupsIn(model.get(email)), edit.group])] });
          }
          for (const email of edit.leave) {
            change(email, { groups: groupsIn(model.get(email)).filter((group) => group !== edit.group) });
          }
      }
    },
    texts: () => textsOf([...model.values()]),
  };
}

/** Serializes and sorts contacts, because the service can return them in any order. */
export const textsOf = (contacts: readonly Contact[]) => contacts.map((contact) => JSON.stringify(contact)).sort();

const groupsIn = (contact: Contact | undefined) => (contact?.groups as string[] | undefined) ?? [];

/** Creates a random change. Some are impossible, such as removing an unknown contact. */
export function randomChange(random: ReturnType<typeof createRandom>, number: number): TypedChange {
  const email = `c${random.below(20)}@example.org`;
  const newEmail = `new${number}@example.org`;
  switch (random.below(7)) {
    case 0:
      return { kind: 'add', contacts: [{ email: newEmail, nick: `added by ${number}` }] };
    case 1:
      return { kind: 'add', contacts: [{ email: newEmail }, { email }] };
    case 2:
      return { kind: 'edit', email, fields: { number: `467${10_000 + number}`, nick: `named by ${number}` } };
    case 3:
      return {
        kind: 'edit',
        email: `new${random.below(number + 1)}@example.org`,
        fields: { email: `was.${newEmail}` },
      };
    case 4:
      return { kind: 'remove', emails: [email] };
    case 5:
      return { kind: 'import', contacts: [{ email: newEmail }, { email, nick: `imported by ${number}` }] };
    default:
      return {
        kind: 'group',
        group: `g${random.below(3)}`,
        join: [email],
        leave: [`c${random.below(20)}@example.org`],
      };
  }
}
