/** A list of `count` contacts, in the documented format. */
export function contactsOf(count: number) {
  return Array.from({ length: count }, (_, number) => ({
    email: `receiver-${number}@example.org`,
    number: String(46_700_000_000 + number),
    language: 'en',
    nick: `Recipient ${number}`,
    groups: number % 10 === 0 ? [`group-${number % 100}`] : [],
  }));
}
