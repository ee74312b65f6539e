import { z } from 'zod';
import { stored } from '../../lib/stored-formats.ts';
import type { TransferState } from './states.ts';

/*
 * A transfer is a send or a request. Each part of it is an encrypted column with one owner:
 * - content: what was confirmed; never changes
 * - progress: what the job has done and found out (lifecycle/, outcome/)
 * - approval: what was asked and decided (approval/)
 * - locations: where it is shown in Slack (the files notify.ts)
 * - answers: what came of a request (answers/, checklist/)
 */

const recipient = z.object({
  email: z.string(),
  number: z.string().optional(),
  nick: z.string().optional(),
  json: z.string(),
});
export type TransferRecipient = z.infer<typeof recipient>;

/** The source file, and the name that recipients will see. */
const file = z.object({
  id: z.string(),
  name: z.string(),
  size: z.number(),
  stamp: z.string(),
  /** Of the content at the review, in hexadecimal. Only for snippets, because other files can't be edited in Slack. */
  sha256: z.string().optional(),
  /** Whether it wasn't in any conversation at the review. */
  isUnshared: z.boolean().optional(),
  /** What its first bytes showed at the review, if a rule depended on them. */
  kind: z.string().optional(),
});
export type TransferFile = z.infer<typeof file>;

const content = z.object({
  recipients: z.array(recipient),
  message: z.string(),
  expiresAfter: z.number(),
  /** The date that the sender chose. `expiresAfter` is then the time left until that date, updated at sending. */
  expiryDate: z.string().optional(),
  /** When the sender wants it to go, in seconds since 1970; undefined for at once. */
  plannedFor: z.number().optional(),
  /** Whether the review found a recipient without earlier transfers. Undefined if that isn't known. */
  hasNewRecipient: z.boolean().optional(),
  /** Ids of transfers in doubt that this one could duplicate. The review warned the sender. */
  earlier: z.array(z.string()).optional(),
  /** The earlier transfer that this one repeats. */
  repeats: z.string().optional(),
});

const sendContent = content.extend({
  kind: z.literal('send'),
  files: z.array(file),
  /** The unsent transfer that this one retries. */
  after: z.string().optional(),
});

const requestContent = content.extend({
  kind: z.literal('request'),
  /** The message as it was typed, and the points. `message` has both. */
  checklist: z.object({ message: z.string(), points: z.array(z.string()) }).optional(),
});

/** What each kind of transfer stores. */
export const transferKinds = ['send', 'request'] as const;
export const transferContent = stored(
  'transfers.content_encrypted',
  z.discriminatedUnion('kind', [sendContent, requestContent]),
);
export type SendContent = z.infer<typeof sendContent>;
export type RequestContent = z.infer<typeof requestContent>;
export type TransferContent = z.infer<typeof transferContent>;
export type TransferKind = (typeof transferKinds)[number];

const snapshot = z.object({
  /** Digests of related history entries from before the send; absent if there were too many. */
  related: z.array(z.string()).optional(),
  /** How many related entries matched exactly. */
  identical: z.number(),
  /** Total number of entries in the history. */
  total: z.number(),
  /** How many identical transfers were sent earlier and hadn't appeared in the history yet. */
  hidden: z.number(),
});
export type Snapshot = z.infer<typeof snapshot>;

const result = z.object({ code: z.string(), message: z.string(), names: z.array(z.string()) });
export type Result = z.infer<typeof result>;

export const transferProgress = stored(
  'transfers.progress_encrypted',
  z.object({
    /** Unexpected files that an admin has reviewed and wants deleted first. */
    removeUnexpected: z.array(z.string()).optional(),
    /** The SHA-256 of the files, by their id, as they were first read as a whole: by the job or for an approver. */
    hashes: z.record(z.string(), z.string()).optional(),
    /** The service's names for the files, in the same order. */
    uploadedNames: z.array(z.string()).optional(),
    snapshot: snapshot.optional(),
    /** The result of scanning for malware: how many files were clean, and which couldn't be scanned. */
    scan: z
      .object({ clean: z.number(), unscanned: z.array(z.object({ name: z.string(), reason: z.string() })) })
      .optional(),
    /** Uploaded files disappeared before we deleted them: a sign that the transfer was sent. */
    vanished: z.boolean().optional(),
    /** Names of its files that were deleted in Slack before its planned time. */
    deleted: z.array(z.string()).optional(),
    /** Why the transfer wasn't sent, or why its outcome is unknown. */
    result: result.optional(),
    /** What the history shows instead of what was confirmed. */
    difference: result.optional(),
    /** Set if the transfer ended in doubt: when checks of the history stop, in milliseconds since 1970. */
    watchedUntil: z.number().optional(),
    /** Set if the transfer ended in doubt and its history entry was found later: when, and the state before that. */
    found: z.object({ at: z.number(), after: z.enum(['failed', 'unknown']) }).optional(),
    /** Set if a transfer and its resend were both sent: the other one's id, and whether people have been notified. */
    duplicate: z.object({ of: z.string(), isNotified: z.boolean() }).optional(),
  }),
);
export type TransferProgress = z.infer<typeof transferProgress>;

/** The rules that can require approval. */
export const approvalRules = ['every', 'new-recipient', 'domain', 'recipients', 'size', 'file-type', 'sender'] as const;
export type ApprovalRule = (typeof approvalRules)[number];

const decision = z.object({
  is: z.enum(['approved', 'declined']),
  by: z.string(),
  at: z.number(),
  reason: z.string().optional(),
});
export type Decision = z.infer<typeof decision>;

/** Set if the transfer needs approval. Times are in milliseconds since 1970. */
export const transferApproval = stored(
  'transfers.approval_encrypted',
  z.object({
    /** The rules that applied when approval was requested. Only these are approved. */
    rules: z.array(z.enum(approvalRules)),
    askedAt: z.number(),
    /** When the wait for a decision ends. */
    until: z.number(),
    /** The sender's note to the approvers. Untrusted. */
    note: z.string().optional(),
    decision: decision.optional(),
    /** Set if it was approved before, and that approval ended before the transfer was sent. */
    isRenewed: z.boolean().optional(),
  }),
);
export type Approval = z.infer<typeof transferApproval>;

const location = z.object({ channel: z.string(), ts: z.string() });

export const transferLocations = stored(
  'transfers.locations_encrypted',
  z.object({
    card: location.optional(),
    /** The modal that the sender confirmed in. While it is open, it shows the transfer's progress. */
    dialog: z.string().optional(),
    /** Set once that modal was found closed, so that a repeated confirmation doesn't show it again. */
    isDialogClosed: z.boolean().optional(),
    /** The message that asks an admin to delete unexpected files. */
    adminQuestion: location.optional(),
    /** The approvers' cards: the person or channel that each was posted to, and whether that approver was removed. */
    approverCards: z.array(location.extend({ to: z.string(), removed: z.boolean().optional() })).optional(),
    /** The message in which the points of a checklist are ticked off. */
    checklist: location.optional(),
  }),
);
export type TransferLocations = z.infer<typeof transferLocations>;

const requestAnswers = z.object({
  /** What the contacts sent. */
  answers: z
    .array(
      z.object({
        item: z.string(),
        from: z.string(),
        /** 0 if the requester doesn't see them. */
        files: z.number(),
        /** Names of the first files. Only the latest answers have them. */
        names: z.array(z.string()).optional(),
        /** The private channel in which the files are. */
        channel: z.string().optional(),
        at: z.number(),
        /** See `InboxItem`. */
        foundAt: z.number().optional(),
      }),
    )
    .default([]),
  /** The points of the checklist that were ticked off. */
  ticks: z.array(z.object({ point: z.string(), by: z.string(), at: z.number() })).default([]),
  /** Set if it was asked again: when, in milliseconds since 1970, and by which request. New uploads belong to that. */
  askedAgain: z.object({ at: z.number(), by: z.string() }).optional(),
});
export const transferAnswers = stored('transfers.answers_encrypted', requestAnswers);
export type RequestAnswers = z.infer<typeof requestAnswers>;

interface Base {
  id: string;
  workspace: string;
  account: string;
  person: string;
  state: TransferState;
  cancelledBy: string | undefined;
  createdAt: Date;
  /** When it starts, if not at once. Until then its sender can undo it. */
  startsAt: Date | undefined;
  /** Set just before the call that sends. */
  committedAt: Date | undefined;
  endedAt: Date | undefined;
  notifiedAt: Date | undefined;
  /** Whether the history has shown the transfer. */
  isSeen: boolean;
  progress: TransferProgress;
  approval: Approval | undefined;
  locations: TransferLocations;
}

/** Sends files to people outside. */
export type Send = Base & SendContent;
/** Gives people outside an upload page for some time. (`Request` is a global name in Node.) */
export type FileRequest = Base & RequestContent & RequestAnswers;
export type Transfer = Send | FileRequest;
export type TransferOf<K extends TransferKind> = Extract<Transfer, { kind: K }>;
export type ContentOf<T extends Transfer> = Extract<TransferContent, { kind: T['kind'] }>;

/** The files of a transfer; none for a request. */
export const filesOf = (content: TransferContent): readonly TransferFile[] => ('files' in content ? content.files : []);

/** The request for people who don't see its answers: who has answered, but not with which files. */
export const withoutFiles = (request: FileRequest): FileRequest => ({
  ...request,
  answers: request.answers.map(({ names: _, ...answer }) => ({ ...answer, files: 0 })),
});

export const sizeOfAll = (files: readonly Pick<TransferFile, 'size'>[]) =>
  files.reduce((sum, { size }) => sum + size, 0);

/** What was or would be sent, for an audit entry. */
export const auditContentOf = (content: TransferContent, { hashes }: Pick<TransferProgress, 'hashes'> = {}) => ({
  files: filesOf(content).map(({ id, name, size }) => ({ name, size, sha256: hashes?.[id] })),
  recipients: content.recipients.map(({ email }) => email),
});

/** Who approved it, for an audit entry. */
export const approvedBy = ({ decision }: Partial<Approval> = {}) =>
  decision?.is === 'approved' && { approver: { user: decision.by }, approvedAt: new Date(decision.at).toISOString() };

/** The points of a request's checklist that aren't ticked off. */
export function missingPoints({ checklist, ticks }: Pick<FileRequest, 'checklist' | 'ticks'>): string[] {
  const ticked = new Set(ticks.map(({ point }) => point));
  return checklist?.points.filter((point) => !ticked.has(point)) ?? [];
}

/** Whether it has a checklist and everything on it has arrived. */
export const isComplete = (request: Pick<FileRequest, 'checklist' | 'ticks'>): boolean =>
  request.checklist !== undefined && missingPoints(request).length === 0;
