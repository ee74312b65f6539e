import type { ModalView } from '@slack/types';
import {
  actions,
  type Blocks,
  button,
  confirmation,
  header,
  line,
  list,
  moment,
  note,
  type Piece,
  section,
} from '../../slack/blocks.ts';
import { cutTo } from '../../slack/limits.ts';
import { modal } from '../../slack/views.ts';
import { andList, count, oneLine } from '../../slack/words.ts';
import type { PollState } from '../inbox/poll/repository.ts';
import type { HeldTransfer, Status } from './operations.ts';

const maxNames = 20;

/** `result`: the result of an action in this view. */
export function statusView(status: Status, result?: string): ModalView {
  return modal('Status', [
    ...(result === undefined ? [] : [section(`✅ ${result}`)]),
    ...accountBlocks(status),
    header('Incoming files'),
    ...pollBlocks(status),
    header('Sending'),
    ...sendingBlocks(status),
    ...(status.isAdmin ? uploadBlocks(status) : []),
  ]);
}

function accountBlocks({ baseUrl, username, connectedBy, connectedAt, health }: Status): Blocks {
  return [
    line('Connected as ', { bold: username }, ` at ${baseUrl}`),
    line('Connected by ', { user: connectedBy }, ' on ', moment(connectedAt)),
    section(health.ok ? healthy(health.activeDownloads) : `⚠️ The service is not working right now. ${health.message}`),
  ];
}

function healthy(activeDownloads: number | undefined): string {
  const active = activeDownloads === undefined ? '' : ` ${count(activeDownloads, 'download')} active now.`;
  return `✅ The service answers.${active}`;
}

function pollBlocks({ poll, isAdmin }: Status): Blocks {
  if (poll === undefined) return [section('Incoming files are not looked for yet.')];
  const { lastFailure, pausedAt, nextAt, lastSuccessAt } = poll;
  if (pausedAt === undefined && lastFailure === undefined) {
    const last: Piece[] = lastSuccessAt === undefined ? ['not yet'] : [moment(lastSuccessAt)];
    return [line('Last looked for: ', ...last, '. Next: ', moment(nextAt), '.')];
  }
  return [
    line('⚠️ ', ...problemPieces(poll)),
    ...(isAdmin
      ? [actions(button('Try again', 'status.resume', { accessibilityLabel: 'Look for incoming files again' }))]
      : [note('An admin can try again here, or enter another key with /drop connect.')]),
  ];
}

function problemPieces({ lastFailure = '', pausedAt, nextAt, lastSuccessAt }: PollState): Piece[] {
  const since: Piece[] = lastSuccessAt === undefined ? [] : [' Last looked for: ', moment(lastSuccessAt), '.'];
  const why = failures[lastFailure] ?? `something went wrong (${lastFailure})`;
  if (pausedAt === undefined) return [`The last try failed: ${why}. Next: `, moment(nextAt), '.', ...since];
  return ['Not looked for since ', moment(pausedAt), `: ${why}.`, ...since];
}

/** Why a poll failed, by its stored code. */
const failures: Record<string, string> = {
  unreachable: 'the service could not be reached',
  timeout: 'the service did not answer in time',
  'credentials-refused': 'the service refuses the key of this workspace',
  'token-refused': 'the service refuses what it has just allowed',
  refused: 'the service said no',
  'not-the-service': 'what answers at its address is something else',
  'changed-format': 'the service answered in a way that I do not know',
  'cut-short': 'the answer of the service broke off',
};

function sendingBlocks({ transfers, hold, isAdmin }: Status): Blocks {
  const running = transfers.filter(({ state }) => state !== 'waiting');
  const waiting = transfers.length - running.length;
  const blocks: Blocks = [
    ...(running.length === 0
      ? [section('Nobody is sending now.')]
      : [list(running.slice(0, maxNames).map(runningPieces))]),
    ...(waiting === 0 ? [] : [section(`${waiting} waiting for ${waiting === 1 ? 'its' : 'their'} turn.`)]),
  ];
  if (hold === undefined) return blocks;
  if (hold.reason === 'committing') {
    return [...blocks, line('Checking since ', moment(hold.since), ' whether a dispatch was sent.')];
  }
  const { reason, since, dispatch, transfer } = hold;
  return [
    ...blocks,
    line('⚠️ ', { bold: 'On hold' }, ' since ', moment(since), `: ${holdReasons[reason]}`),
    ...(isAdmin
      ? [
          ...heldBlocks(transfer),
          actions(button('Release …', 'status.release', { value: dispatch, style: 'danger', confirm: askRelease })),
        ]
      : [note('Nothing is sent until an admin has looked into it and released it here.')]),
  ];
}

function runningPieces({ person, kind, createdAt }: Status['transfers'][number]): Piece[] {
  return [{ user: person }, kind === 'grant' ? ' is asking for files' : ' is sending', ', since ', moment(createdAt)];
}

const holdReasons = {
  unknown: 'nobody knows whether a dispatch was sent.',
  difference: 'the history shows something other than what was confirmed.',
};

/** The transfer that an admin has to check. */
function heldBlocks(transfer: HeldTransfer | undefined): Blocks {
  if (transfer === undefined) return [note('It was sent from another workspace that shares the account.')];
  const { person, createdAt, details } = transfer;
  const files = andList(details?.files.map(({ name }) => cutTo(oneLine(name), 100)) ?? []) || 'no files';
  const recipients = andList(details?.receivers.map(({ email }) => email) ?? []) || 'nobody';
  return [
    line(
      'Confirmed by ',
      { user: person },
      ' on ',
      moment(createdAt),
      `: ${cutTo(files, 1_000)} to ${cutTo(recipients, 1_000)}`,
    ),
    ...(details?.difference === undefined ? [] : [section(details.difference.sentence)]),
    note('Compare it with /drop history, or ask a receiver, before you release it.'),
  ];
}

const askRelease = confirmation(
  'Let people send again?',
  'Releasing sends nothing and takes nothing back. It says that you have looked into it: people can send again, and a dispatch that did arrive may arrive twice if its sender repeats it.',
  'Release',
);

function uploadBlocks({ uploads }: Status): Blocks {
  return [
    header('On the account'),
    ...(uploads === undefined
      ? [section('I could not see what is uploaded.')]
      : uploads.listed === undefined
        ? [section('Something is being sent, so nobody looks at what is uploaded. Try again when it has ended.')]
        : fileBlocks(uploads.listed, uploads.unexpected)),
    actions(
      button('Clear uploaded files', 'status.clear-files', { style: 'danger', confirm: askClearFiles }),
      button('Clear receivers', 'status.clear-receivers', { style: 'danger', confirm: askClearRecipients }),
    ),
  ];
}

function fileBlocks(listed: readonly string[], unexpected: readonly string[]): Blocks {
  if (listed.length === 0) return [section('No files are uploaded.')];
  if (unexpected.length === 0) return [section(`${count(listed.length, 'file')} uploaded, put there by Dropline.`)];
  const more = unexpected.length - maxNames;
  return [
    section(
      `⚠️ ${count(unexpected.length, 'file')} that Dropline did not put there. Until ${unexpected.length === 1 ? 'it is' : 'they are'} removed, nothing can be sent.`,
    ),
    list(unexpected.slice(0, maxNames).map((name) => [cutTo(oneLine(name), 300) || '(no name)'])),
    ...(more > 0 ? [note(`and ${more} more`)] : []),
  ];
}

const askClearFiles = confirmation(
  'Remove all uploaded files?',
  'Everything that is uploaded to the account and not sent is removed, whoever put it there. What was sent stays with its receivers.',
  'Remove them',
);

const askClearRecipients = confirmation(
  'Clear the receivers?',
  'Nobody is set as a receiver on the account any more. Contacts stay, and so does what people have chosen in Slack.',
  'Clear them',
);
