import type { ModalView } from '@slack/types';
import { referenceOf } from '../../lib/errors.ts';
import {
  actions,
  type Blocks,
  button,
  confirmation,
  dateAndTime,
  header,
  line,
  list,
  moment,
  note,
  type Piece,
  section,
} from '../../slack/blocks.ts';
import { truncateText } from '../../slack/limits.ts';
import { modal } from '../../slack/views.ts';
import { andList, andMore, count, oneLine } from '../../slack/words.ts';
import type { PollState } from '../inbox/poll/repository.ts';
import { pollFailureText } from '../inbox/poll/views.ts';
import { pauseNotices } from '../pause/views.ts';
import { waitingBlocks } from '../transfers/approval/views.ts';
import { listedRecipients } from '../transfers/cards/card.ts';
import { cardValue } from '../transfers/send/card.ts';
import type { ShownKinds } from '../transfers/shown-kind.ts';
import { unqueuedStates } from '../transfers/states.ts';
import { filesOf, type Transfer } from '../transfers/transfer.ts';
import type { Status } from './operations.ts';

const maxNames = 20;

/**
 * @param result the result of an action in this view
 * @param missingScopes what doesn't work for lack of a permission; only admins see it
 */
export function statusView(kinds: ShownKinds, status: Status, result?: string, missingScopes: Blocks = []): ModalView {
  return modal('Status', [
    ...(result === undefined ? [] : [section(`✅ ${result}`)]),
    ...accountBlocks(status),
    ...(status.isAdmin ? missingScopes : []),
    ...pauseNotices(status.pauses),
    ...waitingBlocks(kinds, status.approvals),
    header('Incoming files'),
    ...pollBlocks(status),
    header('Sending'),
    ...sendingBlocks(kinds, status),
    ...(status.isAdmin ? uploadBlocks(status) : []),
  ]);
}

function accountBlocks({ baseUrl, username, connectedBy, connectedAt, health, scanner }: Status): Blocks {
  return [
    line('Connected as ', { bold: username }, ` at ${baseUrl}`),
    line('Connected by ', { user: connectedBy }, ' on ', dateAndTime(connectedAt)),
    section(health.ok ? healthyText(health.activeDownloads) : `⚠️ ${problemText(health)}`),
    section(scannerText(scanner)),
  ];
}

function scannerText(scanner: Status['scanner']): string {
  if (scanner === undefined) return "Malware scanner: none. Files aren't scanned.";
  return 'version' in scanner
    ? `✅ Malware scanner is online: ${scanner.version}`
    : `⚠️ The malware scanner isn't working right now: ${scanner.problem}`;
}

function healthyText(activeDownloads: number | undefined): string {
  const active = activeDownloads === undefined ? '' : ` ${count(activeDownloads, 'active link')}.`;
  return `✅ Service is online.${active}`;
}

/** A service that refuses access works, so the message must not say otherwise. */
function problemText({ code, message }: Extract<Status['health'], { ok: false }>): string {
  if (code === 'credentials-refused' || code === 'token-refused') return `The service denied access. ${message}`;
  return code === 'refused' ? message : `The service isn't working right now. ${message}`;
}

function pollBlocks({ poll, isAdmin }: Status): Blocks {
  if (poll === undefined) return [section("I'm not checking for new files yet.")];
  const { lastFailure, pausedAt, nextAt, lastSuccessAt } = poll;
  if (pausedAt === undefined && lastFailure === undefined) {
    const last: Piece[] = lastSuccessAt === undefined ? ['not yet'] : [moment(lastSuccessAt)];
    return [line('Last checked: ', ...last, '. ', ...nextPieces(nextAt))];
  }
  return [
    line('⚠️ ', ...problemPieces(poll)),
    ...(isAdmin
      ? [actions(button('Try again', 'status.resume', { accessibilityLabel: 'Check for new files again' }))]
      : [note('An admin can try again here, or enter another key with /drop connect.')]),
  ];
}

function problemPieces({ lastFailure = '', pausedAt, nextAt, lastSuccessAt }: PollState): Piece[] {
  const reason = pollFailureText(lastFailure);
  if (pausedAt !== undefined) return ['Not checked since ', moment(lastSuccessAt ?? pausedAt), `: ${reason}.`];
  const success: Piece[] = lastSuccessAt === undefined ? [] : [' Last success: ', moment(lastSuccessAt), '.'];
  return [`The last check failed: ${reason}. `, ...nextPieces(nextAt), ...success];
}

/** Shows no date, because the next check is about an hour away at most. */
const nextPieces = (nextAt: Date): Piece[] => [
  'Next check at ',
  { seconds: Math.floor(nextAt.getTime() / 1000), format: '{time}' },
  '.',
];

function sendingBlocks(kinds: ShownKinds, { transfers, abandoned, hold, isAdmin }: Status): Blocks {
  const running = transfers.filter(({ state }) => state !== 'waiting' && !unqueuedStates.includes(state));
  const countIn = (counted: string) => transfers.filter(({ state }) => state === counted).length;
  const [unapproved, planned, waiting] = [countIn('approval'), countIn('planned'), countIn('waiting')];
  const blocks: Blocks = [
    ...(transfers.length === 0 ? [section('No active transfers.')] : []),
    ...(running.length === 0
      ? []
      : [list(running.slice(0, maxNames).map((transfer) => runningPieces(kinds, transfer)))]),
    ...(waiting === 0 ? [] : [section(`${waiting} queued.`)]),
    ...(planned === 0 ? [] : [section(`${planned} planned.`)]),
    ...(unapproved === 0 ? [] : [section(`${unapproved} waiting for approval.`)]),
    ...abandoned.flatMap((transfer) => abandonedBlocks(kinds, transfer)),
  ];
  if (hold === undefined) return blocks;
  if (hold.reason === 'committing') {
    return [...blocks, line('Checking since ', moment(hold.since), ' whether a transfer was sent.')];
  }
  const { reason, since, transfer: transferId, heldTransfer } = hold;
  return [
    ...blocks,
    line('⚠️ ', { bold: 'On hold' }, ' since ', moment(since), `: ${holdReasons[reason]}`),
    ...(isAdmin
      ? [
          ...heldBlocks(heldTransfer),
          actions(
            button('Resume sending…', 'status.release', {
              value: transferId,
              style: 'danger',
              confirm: confirmRelease,
            }),
          ),
        ]
      : [note('Sending is blocked until an admin reviews it here.')]),
  ];
}

/** An admin decides about a transfer whose sender has no rights any more. */
function abandonedBlocks(kinds: ShownKinds, transfer: Transfer): Blocks {
  const { id, kind, person, createdAt } = transfer;
  const subject = `${kinds[kind].subject(transfer)} to ${listedRecipients(transfer)}`;
  return [
    line('⚠️ ', { user: person }, ` has left or is a guest now, so this can't be sent: ${subject}, `, moment(createdAt)),
    actions(
      ...(kind === 'send'
        ? [
            button('Continue…', 'send.continue', {
              value: cardValue.write({ id }),
              accessibilityLabel: `Continue… with transfer ${referenceOf(id)}`,
              confirm: confirmContinue,
            }),
          ]
        : []),
      button('Cancel', `status.cancel#${id}`, {
        value: id,
        style: 'danger',
        accessibilityLabel: `Cancel transfer ${referenceOf(id)}`,
        confirm: confirmCancel,
      }),
    ),
  ];
}

const confirmContinue = confirmation(
  'Continue as your own transfer?',
  'This transfer is cancelled. Its recipients, message and files become your draft, which you can change and review. Nothing is sent before you confirm it.',
  'Continue',
);

const confirmCancel = confirmation(
  'Cancel this transfer?',
  'Nothing is sent. Its sender has left or is a guest now.',
  'Cancel transfer',
  'Keep',
);

function runningPieces(kinds: ShownKinds, { person, kind, createdAt }: Status['transfers'][number]): Piece[] {
  return [{ user: person }, ` ${kinds[kind].texts.activity}, since `, moment(createdAt)];
}

const holdReasons = {
  unknown: "a transfer's delivery is unconfirmed.",
  difference: 'the history differs from what was confirmed.',
};

/** The transfer that an admin has to check. Dropline forgets it after 30 days. */
function heldBlocks(transfer: Transfer | undefined): Blocks {
  if (transfer === undefined)
    return [note('It was sent more than 30 days ago, or from another workspace that uses this account.')];
  const { person, createdAt, progress } = transfer;
  const files = andList(filesOf(transfer).map(({ name }) => truncateText(oneLine(name), 100))) || 'no files';
  const recipients = andList(transfer.recipients.map(({ email }) => email));
  return [
    line(
      'Confirmed by ',
      { user: person },
      ' on ',
      dateAndTime(createdAt),
      `: ${truncateText(files, 1_000)} to ${truncateText(recipients, 1_000)}`,
    ),
    ...(progress.difference === undefined ? [] : [section(progress.difference.message)]),
    note('Compare with /drop history or ask a recipient before you resume.'),
  ];
}

const confirmRelease = confirmation(
  'Resume sending?',
  'People can send again. Nothing is sent or revoked by this. If the transfer did arrive and its sender repeats it, it arrives twice.',
  'Resume',
);

function uploadBlocks({ uploads }: Status): Blocks {
  const hasUploads = (uploads?.listed ?? []).length > 0;
  return [
    header('Account'),
    ...(uploads === undefined
      ? [section("I couldn't check the uploaded files.")]
      : uploads.listed === undefined
        ? [section("A transfer is in progress. Try again when it's finished.")]
        : fileBlocks(uploads.listed, uploads.unexpected)),
    actions(
      ...(hasUploads
        ? [button('Delete pending uploads', 'status.clear-files', { style: 'danger', confirm: confirmClearFiles })]
        : []),
      button('Reset recipients', 'status.clear-recipients', { style: 'danger', confirm: confirmClearRecipients }),
    ),
  ];
}

function fileBlocks(listed: readonly string[], unexpected: readonly string[]): Blocks {
  if (listed.length === 0) return [section('No pending uploads.')];
  if (unexpected.length === 0) return [section(`${count(listed.length, 'file')} uploaded by Dropline.`)];
  const omitted = unexpected.length - maxNames;
  return [
    section(
      `⚠️ ${count(unexpected.length, 'file')} not uploaded by Dropline. Sending is blocked until ${unexpected.length === 1 ? 'it is' : 'they are'} removed.`,
    ),
    list(unexpected.slice(0, maxNames).map((name) => [truncateText(oneLine(name), 300) || '(no name)'])),
    ...(omitted > 0 ? [note(andMore(omitted))] : []),
  ];
}

const confirmClearFiles = confirmation(
  'Delete all pending uploads?',
  "All files that are uploaded but not sent are deleted, even if Dropline didn't upload them. Sent files aren't affected.",
  'Delete',
);

const confirmClearRecipients = confirmation(
  'Reset recipients?',
  "This clears the recipients set on the account. Contacts and drafts aren't affected.",
  'Reset',
);
