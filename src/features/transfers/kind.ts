import type { Exchange } from '../../exchange/index.ts';
import type { DroplineError } from '../../lib/errors.ts';
import type { Actor, Services } from '../common/services.ts';
import type { PauseTarget } from '../pause/repository.ts';
import type { ApprovalPolicy } from '../settings/approval.ts';
import type { Transfer, TransferKind, TransferProgress } from './transfer.ts';

/** Progress that `prepare` adds: the result of the scan, and what is needed to find the transfer in the history. */
export type Prepared = Pick<TransferProgress, 'uploadedNames' | 'snapshot' | 'scan'>;

/** `not-sent` and `unreadable` are results of later checks of a transfer that was probably not sent. */
export type Doubt = 'probably-not-sent' | 'not-sent' | 'unreadable' | 'unknown';

/** What differs between kinds of transfer. `ShownKind` has what differs in Slack. */
export interface Kind<T extends Transfer = Transfer> {
  name: T['kind'];
  /** The action of the audit entry at its end. */
  auditedAs: 'send' | 'request';
  texts: KindTexts;
  pausedBy: PauseTarget;
  /** The list on Home that has it once it has ended. */
  listedAs: 'sent' | 'requests';
  /**
   * Whether every transfer of this kind appears in the service's history. Otherwise a missing entry proves nothing, so
   * an unknown outcome neither holds the account nor alarms an admin.
   */
  isInHistory: boolean;
  /** What the person is told if the outcome is in doubt. */
  doubtMessages: Partial<Record<Doubt, string>>;
  /** Whether the workspace's approval rules apply. */
  needsApproval(policy: ApprovalPolicy): boolean;
  /** Throws if the person can't do this now. */
  expectAllowed(services: Services, actor: Actor): Promise<unknown>;
  /** The errors of a review that can't be confirmed. */
  reviewExpired(): DroplineError;
  reviewUsed(): DroplineError;
  /** Everything before the call that sends. If it rejects, nothing was sent. */
  prepare(services: Services, exchange: Exchange, transfer: T, signal: AbortSignal): Promise<Prepared>;
  /** The call that sends; made once. */
  commit(exchange: Exchange, transfer: T): Promise<void>;
}

export interface KindTexts {
  /** In messages to admins. */
  noun: string;
  /** In the status, after the sender. */
  activity: string;
  /** Titles of the modal, and its text before there is more to show. */
  dialog: { running: string; ended: string; start: string };
  /** On the card of a repeated transfer, to distinguish it from the first card. */
  repeat: string;
  /** After the time until which the history is checked, by the transfer's state. */
  resendWarning: { failed: string; unknown: string };
  /** What the person tried to do, before the time. */
  tried: string;
  /** How sending it again, or approving it, could create a duplicate. */
  duplicate: { sender: string; approver: string };
  /** Corrections of what the person was told about a transfer that ended in doubt. */
  correction: { sent: string; again: string; earlier: string; twice: string };
}

/** The registry of kinds. It is built with the services and passed down with them. */
export type Kinds = Record<TransferKind, Kind>;

export interface TransferServices extends Services {
  kinds: Kinds;
}
