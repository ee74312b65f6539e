import type { Facts, WorkspaceFacts } from './facts.ts';

/**
 * A file has at most one reminder in threads and one per requester, none in threads after its download, and one in a
 * thread if it is due at the end. A person gets at most one reminder per request.
 */
export function checkReminders(facts: Facts): { violations: string[]; reminders: number } {
  const violations = facts.workspaces.flatMap((workspace) => [
    ...checkItems(facts, workspace),
    ...workspace.people.flatMap(({ name, messages }) => {
      const reminders = messages.filter((text) => text.includes(requestTitle)).length;
      const requests = facts.results.filter(
        ({ workspace: of, person, action }) => of === workspace.name && person === name && action.kind === 'request',
      ).length;
      return reminders > requests ? [`${workspace.name}: ${name} was reminded of ${reminders} requests`] : [];
    }),
  ]);
  const messages = facts.workspaces.flatMap(({ inbox, people }) => [
    ...inbox,
    ...people.flatMap((one) => one.messages),
  ]);
  return { violations, reminders: messages.filter((text) => titles.some((title) => text.includes(title))).length };
}

const threadTitle = 'Not downloaded yet';
const privateTitle = 'No one has downloaded the files you requested';
const requestTitle = 'Your request expires';
const titles = [threadTitle, privateTitle, requestTitle];

function checkItems({ plan, itemsBefore = [] }: Facts, workspace: WorkspaceFacts): string[] {
  const own = plan.arrivals.filter(({ account }) => account === workspace.account);
  return own.flatMap(({ file }) => {
    const { inThreads, inPrivate } = remindersOf(workspace, file.name);
    const before = itemsBefore.find((item) => item.workspace === workspace.name && item.file === file.name);
    const isTwice = inThreads > 1 || inPrivate.some((count) => count > 1);
    const isMissing = before?.isDue === true && inThreads === 0;
    const isLate = before?.isDownloaded === true && inThreads > before.reminders;
    return [
      ...(isTwice ? [`${workspace.name}: people were reminded of ${file.name} twice`] : []),
      ...(isMissing ? [`${workspace.name}: nobody was reminded of ${file.name}`] : []),
      ...(isLate ? [`${workspace.name}: people were reminded of ${file.name} after its download`] : []),
    ];
  });
}

/** Reminders of a file: in the thread of its post, wherever that is, and to each person who requested it. */
export function remindersOf({ inbox, people }: Pick<WorkspaceFacts, 'inbox' | 'people'>, file: string) {
  const count = (messages: readonly string[], title: string) =>
    messages.filter((text) => text.includes(title) && text.includes(file)).length;
  const inThreads = people.reduce((sum, { messages }) => sum + count(messages, threadTitle), count(inbox, threadTitle));
  const inPrivate = people.map(({ messages }) => count(messages, privateTitle));
  return { inThreads, inPrivate };
}
