import type { Button, Overflow } from '@slack/types';
import type { Blocks } from '../../slack/blocks.ts';
import type { LatestOnlyQueue } from '../common/latest-only-queue.ts';
import type { Progress } from '../common/services.ts';
import type { ListenerServices, SlackServices } from '../common/slack-services.ts';
import type { Pause } from '../pause/repository.ts';
import type { ApprovalPolicy } from '../settings/approval.ts';
import type { ExpiryUnit } from '../settings/repository.ts';
import type { Kind } from './kind.ts';
import type { Transfer, TransferKind } from './transfer.ts';

export interface CardState<T extends Transfer = Transfer> {
  transfer: T;
  /** Known only to the process that runs the transfer's job. */
  progress?: Progress;
  /** Recent speed, in bytes per second. */
  rate?: number;
  /** How many transfers of the account are ahead of it in the queue. */
  ahead?: number;
  /** Whether it was retried. Then its card has no button to retry it. */
  isRetried?: boolean;
  /** The unit of its expiry. */
  unit?: ExpiryUnit;
  /** Why it waits, if sending or requests are paused. */
  pause?: Pick<Pause, 'reason'>;
  /** Says who can approve it. */
  policy?: ApprovalPolicy;
  /** The name of its account, where the workspace has several. */
  desk?: string | undefined;
}

/**
 * The parts of a card that differ between kinds of transfer. The plain text begins with `summary`, the blocks with
 * `head`.
 */
export interface CardParts {
  summary: string;
  head: Blocks;
  messages?: readonly string[];
  /** Shown after the notice of how long the history is checked. */
  differences?: readonly string[];
  more?: Blocks;
  buttons?: readonly (Button | Overflow)[];
  footer?: Blocks;
}

/** A kind with what differs in Slack. */
export interface ShownKind<T extends Transfer = Transfer> extends Kind<T> {
  card(state: CardState<T>): CardParts;
  /** What a list says of the transfer, before its recipients. */
  subject(transfer: T): string;
  /** On Home, once it has ended. `status`: how far it got after it was sent. `isOwn`: the reader can repeat it. */
  onHome(transfer: T, isOwn: boolean): { text: string; accessory: Button | Overflow | undefined; status?: string };
  /** What the sender's review showed, for approvers. */
  review(services: TransferSlackServices, transfer: T): Promise<Blocks>;
  /** For approvers who can't open the transfer: what the sender wants to do, before the number of people. */
  intent(transfer: T): string;
  /** Buttons that repeat the reader's transfer; none if it can't be repeated. */
  repeatButtons(transfer: T): Button[];
  /** The button that changes the reader's transfer that wasn't sent. */
  editButton(transfer: T): Button | undefined;
  /** Updates what else shows the transfer, after its card. */
  afterCard?(services: CardServices, id: string): Promise<void>;
}

/** The registry of kinds, as built for processes that use Slack. */
export type ShownKinds = Record<TransferKind, ShownKind>;

/** The dependencies of jobs and listeners that show transfers. */
export interface TransferSlackServices extends SlackServices {
  kinds: ShownKinds;
}
export interface TransferUiServices extends ListenerServices {
  kinds: ShownKinds;
  /** Saves drafts one at a time per form: a person can type faster than drafts are saved. */
  draftSaves: LatestOnlyQueue;
}

export type CardServices = Pick<TransferSlackServices, 'slack' | 'store' | 'kinds'>;
