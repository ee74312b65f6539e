import type { AccountFacts, Facts } from './facts.ts';
import type { Done } from './hand.ts';
import type { Contact, Edit } from './plan.ts';

const isEdit = (done: Done): done is Done & { act: Edit } => ['add', 'edit', 'remove'].includes(done.act.kind);

/** The contacts are as before, except for changes that were reported to people. */
export function checkContacts(facts: Facts): string[] {
  return facts.accounts.flatMap((account) => {
    const here = new Set(facts.plan.workspaces.filter((one) => one.account === account.name).map(({ name }) => name));
    const edits = facts.done.filter(isEdit).filter(({ workspace }) => here.has(workspace));
    const before = facts.plan.accounts.find(({ name }) => name === account.name)?.contacts ?? [];
    return [
      ...untouched(account, before, edits),
      ...strangers(account, before, edits),
      ...edits.flatMap((done) => judge(facts, account, before, done).map((words) => `${done.act.id}: ${words}`)),
    ];
  });
}

const find = (contacts: readonly Contact[], { email }: Contact) => contacts.filter((one) => one.email === email);
const textOf = (contact: Contact | undefined) => JSON.stringify(contact);

function untouched({ name, contacts }: AccountFacts, before: readonly Contact[], edits: readonly { act: Edit }[]) {
  const edited = new Set(edits.map(({ act }) => act.contact.email));
  return before
    .filter(({ email }) => !edited.has(email))
    .flatMap((contact) => {
      const now = find(contacts, contact);
      if (now.length === 0) return [`${name}: lost the contact ${contact.email}`];
      if (now.length > 1) return [`${name}: has the contact ${contact.email} ${now.length} times`];
      return textOf(now[0]) === textOf(contact) ? [] : [`${name}: altered the contact ${contact.email}`];
    });
}

function strangers({ name, contacts }: AccountFacts, before: readonly Contact[], edits: readonly { act: Edit }[]) {
  const known = new Set([...before, ...edits.map(({ act }) => act.contact)].map(({ email }) => email));
  return contacts.flatMap(({ email }) => (known.has(email) ? [] : [`${name}: nobody added the contact ${email}`]));
}

function judge(facts: Facts, { contacts }: AccountFacts, before: readonly Contact[], done: Done & { act: Edit }) {
  const { act, came } = done;
  const [now, ...more] = find(contacts, act.contact);
  const [old] = find(before, act.contact);
  const isBefore = textOf(now) === textOf(old);
  const isAfter = act.kind === 'remove' ? now === undefined : textOf(now) === textOf(act.contact);
  const reported = reportedOf(facts, done);
  const says: [boolean, string][] = [
    [more.length > 0, `${act.contact.email} is there ${more.length + 1} times`],
    [!isBefore && !isAfter, `${act.contact.email} is neither as before nor as wished: ${textOf(now)}`],
    [reported === 'done' && !isAfter, `told as done, and it is not: ${textOf(now)}`],
    [reported === 'failed' && !isBefore, `told that nothing was changed, and it is: ${textOf(now)}`],
    [reported === undefined && came === 'accepted', 'accepted, and nobody was told how it ended'],
    [reported === undefined && !isBefore, 'changed, and nobody was told'],
  ];
  return says.flatMap(([isWrong, words]) => (isWrong ? [words] : []));
}

const abouts = { add: 'Adding', edit: 'Changing', remove: 'Removing' };

/** What the form or a message reported about the edit. */
function reportedOf(facts: Facts, { act, workspace, person, said }: Done & { act: Edit }) {
  const { people = [] } = facts.workspaces.find(({ name }) => name === workspace) ?? {};
  const { messages = [] } = people.find(({ name }) => name === person) ?? {};
  const about = `${abouts[act.kind]} ${act.contact.email}.`;
  // A process that died with a form open reported nothing; the next process reports that the outcome is unknown.
  const lost = 'nobody knows what became of it';
  const words = [said, ...messages.filter((text) => text.includes(about) || text.includes(lost))].join('\n');
  if (/Done:|Nothing had to be changed/.test(words)) return 'done';
  if (/Nothing was changed/.test(words)) return 'failed';
  return /Nobody knows yet/.test(words) || words.includes(lost) ? 'unknown' : undefined;
}
