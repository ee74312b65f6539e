import type { ActionResult } from './action-context.ts';
import type { AccountFacts, Facts } from './facts.ts';
import type { Contact, Edit } from './plan.ts';

const isEdit = (result: ActionResult): result is ActionResult & { action: Edit } =>
  ['add', 'edit', 'remove'].includes(result.action.kind);

/** Contacts change only by reported edits, and each report is true. */
export function checkContacts(facts: Facts): string[] {
  return facts.accounts.flatMap((account) => {
    const workspaces = new Set(
      facts.plan.workspaces.filter((one) => one.account === account.name).map(({ name }) => name),
    );
    const edits = facts.results.filter(isEdit).filter(({ workspace }) => workspaces.has(workspace));
    const before = facts.plan.accounts.find(({ name }) => name === account.name)?.contacts ?? [];
    return [
      ...checkUnedited(account, before, edits),
      ...checkUnknown(account, before, edits),
      ...edits.flatMap((result) =>
        checkEdit(facts, account, before, result).map((violation) => `${result.action.id}: ${violation}`),
      ),
    ];
  });
}

const findAll = (contacts: readonly Contact[], { email }: Contact) => contacts.filter((one) => one.email === email);
const textOf = (contact: Contact | undefined) => JSON.stringify(contact);

function checkUnedited(
  { name, contacts }: AccountFacts,
  before: readonly Contact[],
  edits: readonly { action: Edit }[],
) {
  const edited = new Set(edits.map(({ action }) => action.contact.email));
  return before
    .filter(({ email }) => !edited.has(email))
    .flatMap((contact) => {
      const now = findAll(contacts, contact);
      if (now.length === 0) return [`${name}: lost the contact ${contact.email}`];
      if (now.length > 1) return [`${name}: has the contact ${contact.email} ${now.length} times`];
      return textOf(now[0]) === textOf(contact) ? [] : [`${name}: altered the contact ${contact.email}`];
    });
}

function checkUnknown(
  { name, contacts }: AccountFacts,
  before: readonly Contact[],
  edits: readonly { action: Edit }[],
) {
  const known = new Set([...before, ...edits.map(({ action }) => action.contact)].map(({ email }) => email));
  return contacts.flatMap(({ email }) => (known.has(email) ? [] : [`${name}: has an unknown contact ${email}`]));
}

function checkEdit(
  facts: Facts,
  { contacts }: AccountFacts,
  before: readonly Contact[],
  result: ActionResult & { action: Edit },
) {
  const { action, progress } = result;
  const [now, ...more] = findAll(contacts, action.contact);
  const [old] = findAll(before, action.contact);
  const isBefore = textOf(now) === textOf(old);
  const isAfter = action.kind === 'remove' ? now === undefined : textOf(now) === textOf(action.contact);
  const reported = readReport(facts, result);
  const checks: [boolean, string][] = [
    [more.length > 0, `${action.contact.email} is listed ${more.length + 1} times`],
    [!isBefore && !isAfter, `${action.contact.email} has neither its old nor its new value: ${textOf(now)}`],
    [reported === 'done' && !isAfter, `reported as done but not made: ${textOf(now)}`],
    [reported === 'failed' && !isBefore, `reported as unchanged but changed: ${textOf(now)}`],
    [reported === undefined && progress === 'accepted', 'accepted, but no outcome was reported'],
    [reported === undefined && !isBefore, 'changed but not reported'],
  ];
  return checks.flatMap(([isWrong, violation]) => (isWrong ? [violation] : []));
}

const editTitles = { add: 'Adding', edit: 'Changing', remove: 'Removing' };

/** The outcome of the edit that the form or a message reported. */
function readReport(facts: Facts, { action, workspace, person, formText }: ActionResult & { action: Edit }) {
  const { people = [] } = facts.workspaces.find(({ name }) => name === workspace) ?? {};
  const { messages = [] } = people.find(({ name }) => name === person) ?? {};
  const about = `${editTitles[action.kind]} ${action.contact.email}.`;
  // If a process dies while a form waits for it, the next process reports an unknown outcome.
  const lostText = 'its result is unknown';
  const reports = [formText, ...messages.filter((text) => text.includes(about) || text.includes(lostText))].join('\n');
  if (/[Cc]ontacts? (?:added|changed|removed)|Nothing to change/.test(reports)) return 'done';
  if (/Nothing was changed/.test(reports)) return 'failed';
  return /It's not clear yet/.test(reports) || reports.includes(lostText) ? 'unknown' : undefined;
}
