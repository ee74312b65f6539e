/** Contacts that are members of the group. */
export const membersOf = (group: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ email: `${group}${index}@example.org`, groups: [group] }));
