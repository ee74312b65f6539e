import type { Contact } from '../../exchange/index.ts';

/**
 * A contact's text in one spelling: the service may write spaces and the order of fields as it likes. Numbers stay the
 * digits that they are: read as JavaScript's, two long ones could look the same.
 */
export function spellingOf(json: string): string {
  const digitsKept = json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? token : `{"number":"${token}"}`,
  );
  return JSON.stringify(inOrder(JSON.parse(digitsKept)));
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // Pairs, not an object: a field named like a number would be moved to the front.
  return entries.map(([key, member]) => [key, inOrder(member)]);
}

/** Whether both lists hold the same contacts, in whatever order. */
export function sameContacts(one: readonly Contact[], other: readonly Contact[]): boolean {
  return one.length === other.length && without(one, other).length === 0;
}

/** What is in `contacts` and not in `others`; what is there twice must be twice in both. */
export function without(contacts: readonly Contact[], others: readonly Contact[]): Contact[] {
  const left = new Map<string, number>();
  for (const { json } of others) {
    const spelling = spellingOf(json);
    left.set(spelling, (left.get(spelling) ?? 0) + 1);
  }
  return contacts.filter(({ json }) => {
    const spelling = spellingOf(json);
    const count = left.get(spelling) ?? 0;
    left.set(spelling, count - 1);
    return count <= 0;
  });
}

/** By what a contact is told from others: its address; one without is only itself. */
export function identityOf({ email, json }: Contact): string {
  return email === undefined ? spellingOf(json) : email.toLowerCase();
}
