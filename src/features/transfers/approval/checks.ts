import type pg from 'pg';
import { type Exchange, isExchangeError } from '../../../exchange/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import { lockInTransaction } from '../../../store/index.ts';
import type { Actor, Services } from '../../common/services.ts';
import { approvalOf } from '../../settings/approval.ts';
import { MembersUnknownError } from '../../settings/errors.ts';
import { type Access, expectAllowed, rightsOf } from '../../settings/permission.ts';
import type { Settings } from '../../settings/repository.ts';
import type { TransferServices } from '../kind.ts';
import { transfersIn } from '../repository.ts';
import { type Approval, type ApprovalRule, filesOf, type Transfer, type TransferContent } from '../transfer.ts';
import { ApprovalEndedError, approvalNeeded, noApprover, tooManyWaiting } from './errors.ts';
import { hasOtherApprover } from './permission.ts';
import { rulesFor, rulesText } from './rules.ts';

/*
 * Why nothing can be sent unapproved:
 * 1. Only a transfer's job calls createdrop or givedrop (../lifecycle/jobs.ts). It runs the check of `createApprovalCheck` twice
 *    under the account's lock: before anything is uploaded, and right before the state becomes `committing`. Each time,
 *    the check reads the settings and evaluates all rules for the reviewed content. A rule that applies and wasn't
 *    approved ends the transfer. If an approval is older than the days to wait for one, no rule counts as approved, and
 *    the transfer waits for approval again (`renewApproval`). If a time was approved, the days begin with that.
 * 2. What was approved is in the transfer's encrypted row: the rules, and a decision by someone other than the sender.
 *    Only `approve` and `decline` (operations.ts) write a decision: under the row lock, only in the state `approval`,
 *    and only if the person is an approver and isn't the sender. Nothing in a button or form can add one.
 *    `renewApproval` (jobs.ts) only removes one.
 * 3. The approved content can't change: recipients and files are stored, and the job compares them with the service
 *    (`expectStillValid`) and with Slack, right before each file is read (`expectUnchanged`) and, for snippets, while it
 *    is read. Retries are new transfers without a decision. Only "Delete and send" keeps the decision, because it sends
 *    the same reviewed content, and the decision keeps its time.
 * 4. Whether `confirm` makes a transfer wait only decides what people see. If it is wrong, the job stops the transfer.
 */

/** Creates a check for the job. It rejects unless every rule that applies now was approved by another person. */
export function createApprovalCheck(services: TransferServices, exchange: Exchange, transfer: Transfer) {
  let historyCheck: Promise<boolean> | undefined;
  return async (): Promise<void> => {
    const access = await rightsOf(services, transfer);
    const { settings } = access;
    const { decision } = transfer.approval ?? {};
    const approvedFor = Math.max(decision?.at ?? 0, (transfer.plannedFor ?? 0) * 1000);
    const isOld = decision !== undefined && Date.now() > approvedFor + waitMs(settings);
    const approved = isOld ? [] : approvedRules(transfer);
    const missing = (hasNewRecipient: boolean) =>
      rulesThatApply(services, access, transfer, hasNewRecipient).filter((rule) => !approved.includes(rule));
    let needed = missing(true);
    if (needed.includes('new-recipient')) {
      historyCheck ??= hasNewRecipient(exchange, transfer);
      needed = missing(await historyCheck);
    }
    if (needed.length === 0) return;
    if (needed.includes('sender')) {
      // If Slack doesn't list the members of a trusted channel, the job tries again.
      await expectAllowed(services, transfer, 'trusted').catch((error: unknown) => {
        if (error instanceof MembersUnknownError) throw error;
      });
    }
    if (!isOld) throw approvalNeeded(rulesText(needed), transfer.approval !== undefined);
    if (!(await hasOtherApprover(services, settings, transfer))) throw noApprover(rulesText(needed));
    throw new ApprovalEndedError(askedNow(settings, needed, transfer.approval?.note));
  };
}

function approvedRules({ person, approval }: Transfer): readonly ApprovalRule[] {
  const { decision, rules = [] } = approval ?? {};
  return decision?.is === 'approved' && decision.by !== person ? rules : [];
}

function rulesThatApply(
  { kinds }: Pick<TransferServices, 'kinds'>,
  { settings, may }: Access,
  content: TransferContent,
  isAnyNew: boolean | undefined,
): ApprovalRule[] {
  const policy = approvalOf(settings);
  if (!kinds[content.kind].needsApproval(policy)) return [];
  const { recipients } = content;
  const facts = { isTrusted: may('trusted'), recipients, files: filesOf(content), hasNewRecipient: isAnyNew };
  return rulesFor(policy, facts);
}

/** Whether a recipient never got files from the account. If the history can't be read, assumes so. */
async function hasNewRecipient(exchange: Exchange, { recipients }: Transfer): Promise<boolean> {
  const newEmails = new Set(recipients.map(({ email }) => email.toLowerCase()));
  try {
    await exchange.readHistory({
      pick({ recipients: earlier, files }) {
        if (files.length > 0) for (const { email = '' } of earlier) newEmails.delete(email.toLowerCase());
        return undefined;
      },
    });
  } catch (error) {
    if (!isExchangeError(error)) throw error;
    return true;
  }
  return newEmails.size > 0;
}

/** What a review says about approval, if it is needed. */
export interface ApprovalNotice {
  rules: ApprovalRule[];
  /** False if no one but the sender could approve. */
  hasApprover: boolean;
}

/** The rules that apply to the reviewed content, and whether someone can approve it; undefined if no rule applies. */
export async function approvalNotice(
  services: TransferServices,
  access: Access,
  actor: Actor,
  content: TransferContent,
): Promise<ApprovalNotice | undefined> {
  const rules = rulesThatApply(services, access, content, content.hasNewRecipient);
  if (rules.length === 0) return undefined;
  return { rules, hasApprover: await hasOtherApprover(services, access.settings, actor) };
}

/** The approval that a confirmed transfer has to wait for; undefined if it needs none. Throws if no one can approve. */
export async function approvalToAsk(
  services: TransferServices,
  actor: Actor,
  content: TransferContent,
  note: string,
): Promise<Approval | undefined> {
  const access = await rightsOf(services, actor);
  const notice = await approvalNotice(services, access, actor, content);
  if (notice === undefined) return undefined;
  if (!notice.hasApprover) throw noApprover(rulesText(notice.rules));
  // Slack limits the field too; this keeps the stored text bounded.
  return askedNow(access.settings, notice.rules, note?.slice(0, bounds.approvalNoteChars));
}

/** Rejects if too many transfers of the person wait for approval. Confirmations at the same time are counted too. */
export async function expectFewWaiting(
  { store }: Pick<Services, 'store'>,
  { workspace, person }: Actor,
  client: pg.PoolClient,
): Promise<void> {
  await lockInTransaction(client, `approvals ${workspace} ${person}`);
  const waiting = await transfersIn(store).countWaitingForApproval({ workspace, person }, client);
  if (waiting >= bounds.approvalsPerPerson) throw tooManyWaiting();
}

function askedNow(settings: Settings, rules: ApprovalRule[], note?: string): Approval {
  const askedAt = Date.now();
  return { rules, askedAt, until: askedAt + waitMs(settings), ...(note && { note }) };
}

/** How long a transfer waits for a decision, and how long an approval is valid. */
const waitMs = ({ approvalDays }: Settings) => approvalDays * 86_400_000;
