import { sha256 } from '../helpers/features.ts';
import type { ActionProgress, ActionResult } from './action-context.ts';
import type { AccountFacts, Facts } from './facts.ts';
import { type Contact, isInfected, messageOf, type Request, type Send } from './plan.ts';

type Report = 'sent' | 'not sent' | 'probably not sent' | 'cancelled' | 'unknown' | 'difference';

interface TransferCheck {
  violations: string[];
  unknown: number;
}

const isSend = (result: ActionResult): result is ActionResult & { action: Send } => result.action.kind === 'send';
const isRequest = (result: ActionResult): result is ActionResult & { action: Request } =>
  result.action.kind === 'request';

/**
 * Each send is made once (twice if it was repeated) and as confirmed, or not at all, and the sender sees the true
 * outcome.
 */
export function checkSends(facts: Facts): TransferCheck {
  const violations: string[] = [];
  const sends = facts.results.filter(isSend);
  let unknown = 0;
  for (const result of sends) {
    const { action } = result;
    const account = accountOf(facts, result);
    const transfers = account.drops.filter((transfer) =>
      transfer.files.some(({ name }) => name.startsWith(`${action.id}-`)),
    );
    for (const transfer of transfers) {
      const differs = differenceOf(transfer, action);
      if (differs !== undefined) violations.push(`${action.id}: ${differs}`);
    }
    if (transfers.length > 0 && action.files.some(isInfected)) violations.push(`${action.id}: malware was sent`);
    const reports = reportsOf(facts, result, sendTitles, (text) =>
      action.files.some(({ name }) => text.includes(name)),
    );
    const ownViolations = checkReports(result, transfers.length, reports, facts, account.unanswered.send);
    violations.push(...ownViolations.map((violation) => `${action.id}: ${violation}`));
    unknown += countUnknown(reports);
  }
  const ids = new Set(sends.filter(({ progress }) => progress !== 'not submitted').map(({ action }) => action.id));
  for (const { name, drops: transfers } of facts.accounts) {
    for (const { files } of transfers) {
      const unconfirmed = files.filter((file) => !ids.has(file.name.replace(/-\d+\.txt$/, '')));
      if (unconfirmed.length > 0)
        violations.push(`${name}: sent files without a confirmation: ${unconfirmed.map((file) => file.name)}`);
    }
  }
  return { violations, unknown };
}

/** Before their time comes, none of the planned sends has left. */
export function checkPlanned(facts: Pick<Facts, 'plan' | 'results' | 'accounts'>): string[] {
  const left = facts.results.filter(isSend).filter(({ action }) => action.planned === 'left');
  return left.flatMap((result) => {
    const isSent = accountOf(facts, result).drops.some(({ files }) =>
      files.some(({ name }) => name.startsWith(`${result.action.id}-`)),
    );
    return isSent ? [`${result.action.id}: was sent before its planned time`] : [];
  });
}

/** Like `checkSends`, for file requests. */
export function checkRequests(facts: Facts): TransferCheck {
  const violations: string[] = [];
  const requests = facts.results.filter(isRequest);
  let unknown = 0;
  for (const result of requests) {
    const { action } = result;
    const account = accountOf(facts, result);
    const pages = account.pages.filter(({ message }) => belongsTo(message, action));
    const texts = messagesMade(account, action);
    const madeCount = texts.length;
    const emails = emailsOf(action.to);
    const contacts = pages.map(({ contact }) => contact.email);
    const allowed = isRepeated(result) ? 2 : 1;
    if (!sameList(contacts, Array.from({ length: Math.min(madeCount, allowed) }, () => emails).flat()))
      violations.push(`${action.id}: confirmed for ${emails}, asked ${contacts}`);
    if (pages.some(({ ttl }) => ttl !== action.expiresAfter)) violations.push(`${action.id}: different expiry`);
    const isAllowed = createRepeatCheck(result);
    const first = texts.indexOf(messageOf(action));
    const wrong = texts.filter((text, index) => index !== first && !isAllowed(text));
    violations.push(...wrong.map((text) => `${action.id}: asked again for other points: ${text}`));
    const reports = reportsOf(facts, result, requestTitles, (text) => emails.every((email) => text.includes(email)));
    const ownViolations = checkReports(result, madeCount, reports, facts, account.unanswered.request);
    // Cards of several requests by the same person can't be assigned to one of them.
    const otherRequests = requests.filter(
      (other) =>
        other.person === result.person && other.workspace === result.workspace && other.action.id !== action.id,
    );
    if (otherRequests.length === 0) violations.push(...ownViolations.map((violation) => `${action.id}: ${violation}`));
    unknown += countUnknown(reports);
  }
  const confirmed = requests.filter(({ progress }) => progress !== 'not submitted');
  for (const { name, pages } of facts.accounts) {
    for (const { message } of pages)
      if (!confirmed.some(({ action }) => belongsTo(message, action)))
        violations.push(`${name}: sent a request without a confirmation: ${message}`);
  }
  return { violations, unknown };
}

/** Whether this message belongs to the request or to its repetition with Ask again. */
const belongsTo = (message: string, action: Request) =>
  message === messageOf(action) || message.startsWith(messageOf({ message: action.message, points: [''] }));

/** The message of the request and of its repetition, which can differ, if they were made. */
export function messagesMade({ pages }: Pick<AccountFacts, 'pages'>, action: Request): string[] {
  const [first] = action.to;
  const own = pages.filter(({ message, contact }) => belongsTo(message, action) && contact.email === first?.email);
  return own.map(({ message }) => message);
}

/** Ask again must list the points that weren't ticked off. A click without an answer can have counted or not. */
function createRepeatCheck({ action, ticks = [] }: ActionResult & { action: Request }): (message: string) => boolean {
  const clicked = new Set(ticks.map(({ point }) => point));
  const confirmed = new Set(ticks.filter(({ isConfirmed }) => isConfirmed).map(({ point }) => point));
  const { message, points = [] } = action;
  return (text) => {
    const asked = points.filter((point) => text.includes(`- ${point}`));
    const isWhole = points.every((point) => asked.includes(point) || clicked.has(point));
    return text === messageOf({ message, points: asked }) && isWhole && !asked.some((point) => confirmed.has(point));
  };
}

/** The outcomes that the cards of a transfer (`first`) and of its repetition (`again`) report. */
interface Reports {
  first: ReadonlySet<Report>;
  again: ReadonlySet<Report>;
}

const countUnknown = ({ first, again }: Reports) => [first, again].filter((reports) => reports.has('unknown')).length;

const isRepeated = ({ repeated = 'not submitted' }: ActionResult) => repeated !== 'not submitted';

/** A transfer is repeated only after its card says that it was sent. So if any was made, the first is the original. */
function checkReports(
  result: ActionResult,
  madeCount: number,
  { first, again }: Reports,
  facts: Facts,
  unanswered: number,
): string[] {
  const { repeated = 'not submitted' } = result;
  const madeFirst = isRepeated(result) ? Math.min(madeCount, 1) : madeCount;
  return [
    ...checkReport(result.progress, madeFirst, first, facts, unanswered),
    ...checkReport(repeated, madeCount - madeFirst, again, facts, unanswered).map((text) => `again: ${text}`),
  ];
}

/** Each report must be true, and every accepted action must be reported. */
function checkReport(
  progress: ActionProgress,
  madeCount: number,
  reported: ReadonlySet<Report>,
  facts: Facts,
  unanswered: number,
): string[] {
  const all = [...reported].join(', ');
  const checks: [boolean, string][] = [
    [madeCount > 1, `made ${madeCount} times`],
    [progress === 'not submitted' && madeCount > 0, 'made without a confirmation'],
    [progress === 'accepted' && reported.size === 0, 'accepted, but no outcome was reported'],
    [madeCount > 0 && reported.size === 0, 'made but not reported'],
    [reported.size > 1, `reported in two ways: ${all}`],
    [reported.has('difference'), 'reported as sent with differences'],
    [reported.has('sent') && madeCount === 0, 'reported as sent but never made'],
    [(reported.has('not sent') || reported.has('cancelled')) && madeCount > 0, `reported as ${all} but made`],
    [
      (reported.has('unknown') || reported.has('probably not sent')) && unanswered + facts.kills + facts.outages === 0,
      `reported as ${all} although every call was answered`,
    ],
  ];
  return checks.flatMap(([isWrong, violation]) => (isWrong ? [violation] : []));
}

const sendTitles: [string, Report][] = [
  ['✅ Sent', 'sent'],
  ['⚠️ Sent twice', 'sent'],
  ['⚠️ Not sent', 'not sent'],
  ['⚠️ Probably not sent', 'probably not sent'],
  ['Declined', 'not sent'],
  ['Not approved in time', 'not sent'],
  ['Cancelled', 'cancelled'],
  ['⚠️ Delivery unconfirmed', 'unknown'],
  ['⚠️ Sent with differences', 'difference'],
];

const requestTitles: [string, Report][] = [
  ['Requested files from', 'sent'],
  ['⚠️ Your request to', 'not sent'],
  ['Declined: file request', 'not sent'],
  ['Not approved in time: file request', 'not sent'],
  ['Your request to', 'cancelled'],
  ['⚠️ Request unconfirmed', 'unknown'],
];

/** Reads the outcomes from the cards of a transfer and of its repetition. */
function reportsOf(
  { workspaces }: Facts,
  { workspace, person }: ActionResult,
  titles: readonly [string, Report][],
  isCardOf: (text: string) => boolean,
): Reports {
  const { people = [] } = workspaces.find(({ name }) => name === workspace) ?? {};
  const { messages = [] } = people.find(({ name }) => name === person) ?? {};
  const cards = messages.filter(isCardOf);
  const isRepeat = (text: string) => /Repeats an earlier transfer|Follow-up to an earlier request/.test(text);
  return {
    first: readReports(
      cards.filter((text) => !isRepeat(text)),
      titles,
    ),
    again: readReports(cards.filter(isRepeat), titles),
  };
}

/** A card's title is its first line. */
function readReports(cards: readonly string[], titles: readonly [string, Report][]): Set<Report> {
  const outcomes = cards.flatMap((text) => {
    const title = titles.find(([start]) => text.trimStart().startsWith(start));
    return title === undefined ? [] : [title[1]];
  });
  const reported = new Set(outcomes);
  // An unknown outcome is reported again once it is known. The first report stays in the thread.
  if (reported.has('sent') || reported.has('not sent')) reported.delete('probably not sent');
  if (reported.has('sent')) reported.delete('unknown');
  return reported;
}

function differenceOf(transfer: AccountFacts['drops'][number], action: Send): string | undefined {
  const sent = transfer.files.map((file) => `${file.name} ${file.sha256}`);
  const wanted = action.files.map(({ name, data }) => `${name} ${sha256(data)}`);
  if (!sameList(sent, wanted)) return `other files than confirmed: ${transfer.files.map(({ name }) => name)}`;
  const addressesOf = (list: readonly Contact[]) => list.map(({ email, number }) => `${email} ${number}`);
  if (!sameList(addressesOf(transfer.receivers), addressesOf(action.to)))
    return `different recipients than confirmed: ${addressesOf(transfer.receivers)}`;
  if (transfer.message !== action.message) return `another message: ${transfer.message}`;
  return transfer.ttl === action.expiresAfter ? undefined : `different expiry: ${transfer.ttl}`;
}

const emailsOf = (contacts: readonly Contact[]) => contacts.map(({ email }) => email);
const sameList = (one: readonly string[], other: readonly string[]) =>
  JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());

function accountOf({ plan, accounts }: Pick<Facts, 'plan' | 'accounts'>, { workspace }: ActionResult): AccountFacts {
  const name = plan.workspaces.find((one) => one.name === workspace)?.account;
  const account = accounts.find((one) => one.name === name);
  if (account === undefined) throw new Error(`${workspace} has no account`);
  return account;
}
