import type { Button, Overflow } from '@slack/types';
import { z } from 'zod';
import { withReference } from '../../../lib/errors.ts';
import { button, confirmation, header, line, menu, note } from '../../../slack/blocks.ts';
import { limits } from '../../../slack/limits.ts';
import { codec } from '../../../slack/metadata.ts';
import { andList, count, sizeOf } from '../../../slack/words.ts';
import type { Progress } from '../../common/services.ts';
import { decisionBlocks, waitingMessages } from '../approval/card.ts';
import {
  correctionMessages,
  differenceMessages,
  holdMessage,
  isProbablyNotSent,
  pauseMessages,
  plannedBlocks,
  plannedButtons,
  unapprovedTitle,
} from '../cards/card.ts';
import { expiryPieces, plannedLines } from '../expiry.ts';
import type { CardParts, CardState } from '../shown-kind.ts';
import { type Send, sizeOfAll, type TransferProgress } from '../transfer.ts';
import { sendKind } from './kind.ts';

/** The transfer that a card's button is for, and the positions of files to leave out. */
export const cardValue = codec(
  'transfer card button',
  z.object({ id: z.string(), without: z.array(z.number()).optional() }),
  limits.buttonValue,
);

/** The menu to repeat a transfer, with the same recipients or with others. */
const repeatMenu = (id: string) =>
  menu('send.more', [
    ['Send again', `again ${id}`],
    ['Send to others', `others ${id}`],
  ]);

/** Whether the menu is offered. A transfer that wasn't sent has a button to try again. */
const isRepeatable = ({ state, endedAt }: Send) => endedAt !== undefined && (state === 'sent' || state === 'unknown');

/** The menu for the reader's transfer in a list; none if it can't be repeated. */
export const repeatAccessory = (transfer: Send): Overflow | undefined =>
  isRepeatable(transfer) ? repeatMenu(transfer.id) : undefined;

/** The entries of the menu as buttons, where there is room for them. */
export function repeatSendButtons(transfer: Send): Button[] {
  if (!isRepeatable(transfer)) return [];
  const value = cardValue.write({ id: transfer.id });
  return [button('Send again', 'send.again', { value }), button('Send to others', 'send.others', { value })];
}

export function sendCard(state: CardState<Send>): CardParts {
  const { transfer, unit = 'own' } = state;
  const sentAt = transfer.committedAt ?? transfer.endedAt ?? transfer.createdAt;
  const { files, recipients, expiresAfter, expiryDate, progress } = transfer;
  const subject = `${count(files.length, 'file')} to ${andList(
    recipients.map(({ email }) => email),
    3,
  )}`;
  const { title, messages, buttons } = transfer.endedAt === undefined ? runningContent(state) : endedContent(state);
  const names = files.map(({ name }) => name);
  const recipientTexts = recipients.map(({ email, number }) => (number ? `${email} (${number})` : email));
  const isSent = transfer.state === 'sent' && transfer.endedAt !== undefined;
  return {
    summary: `${title}: ${subject}.`,
    head: [
      header(title),
      line({ bold: andList(names, 4) }, ` (${sizeOf(sizeOfAll(files))})`),
      line('to ', andList(recipientTexts, 6)),
      ...(expiryDate !== undefined || (isSent && unit !== 'own')
        ? [line(...expiryPieces(sentAt, expiresAfter, unit, expiryDate))]
        : []),
    ],
    messages: isSent ? [...messages, ...unscannedMessages(progress)] : messages,
    more: [
      ...(transfer.state === 'approval' ? plannedLines(transfer) : []),
      ...(transfer.state === 'planned' ? plannedBlocks(transfer) : []),
      ...decisionBlocks(transfer, state.policy),
    ],
    buttons,
    footer: isSent ? [note("Transfers can't be recalled. Downloads aren't tracked.")] : [],
  };
}

function unscannedMessages({ scan }: TransferProgress): string[] {
  const names = scan?.unscanned.map(({ name, reason }) => `${name} (${reason.replace(/\.$/, '')})`) ?? [];
  return names.length === 0 ? [] : [`⚠️ Not scanned for malware: ${andList(names, 5)}.`];
}

/** Lets the sender change a transfer that wasn't approved, or that would be refused again. */
export const editButton = (id: string, style?: 'primary') =>
  button('Edit…', 'send.edit', { value: cardValue.write({ id }), style });

interface CardContent {
  title: string;
  messages: string[];
  buttons: (Button | Overflow)[];
}

function runningContent({ transfer, progress, rate, ahead = 0, pause }: CardState<Send>): CardContent {
  const { files } = transfer;
  const cancel = button('Cancel', 'send.cancel', {
    value: cardValue.write({ id: transfer.id }),
    style: 'danger',
    accessibilityLabel: `Cancel sending ${files[0]?.name ?? 'it'}`,
    confirm:
      transfer.state === 'planned'
        ? confirmation('Cancel this transfer?', "It won't be sent.", 'Cancel transfer', 'Keep it')
        : confirmation(
            'Cancel this transfer?',
            'Nothing will be sent. Uploaded files are removed.',
            'Cancel transfer',
            'Keep sending',
          ),
  });
  if (transfer.state === 'approval')
    return { title: 'Waiting for approval', messages: waitingMessages(transfer), buttons: [cancel] };
  if (transfer.state === 'planned') {
    const title = transfer.plannedFor === undefined ? 'Sending soon' : 'Planned';
    const value = cardValue.write({ id: transfer.id });
    return { title, messages: [], buttons: plannedButtons(transfer, value, files[0]?.name ?? 'it', cancel) };
  }
  const { phase } = progress ?? {};
  // Check the phase before the state, which is still `committing` while the outcome is reconciled.
  if (phase === 'reconciling') {
    const message = "The service didn't confirm it. I'm checking its history, which takes about a minute.";
    return { title: 'Checking status', messages: [message], buttons: [] };
  }
  if (phase === 'stopping') {
    const message = 'Nothing was sent. Cleaning up, which takes about half a minute.';
    return { title: 'Cancelling', messages: [message], buttons: [] };
  }
  if (phase === 'sent' || phase === 'cleaning') {
    const message = 'The service accepted it. Checking the history and cleaning up.';
    return { title: 'Sent', messages: [message], buttons: [] };
  }
  if (phase === 'committing' || transfer.state === 'committing')
    return { title: 'Sending', messages: ['Finishing up…'], buttons: [] };
  if (transfer.cancelledBy !== undefined)
    return { title: 'Cancelling', messages: ['Nothing will be sent.'], buttons: [] };
  if (pause !== undefined && transfer.state === 'waiting')
    return { title: 'Paused', messages: pauseMessages(pause), buttons: [cancel] };
  switch (progress?.phase) {
    case 'uploading': {
      return {
        title: `Uploading ${progress.file} of ${files.length}`,
        messages: [progressText(progress, rate)],
        buttons: [cancel],
      };
    }
    case 'checking':
      return {
        title: 'Checking',
        messages: ['Comparing contacts and files with your review.'],
        buttons: [cancel],
      };
    default:
      return {
        title: 'Queued',
        messages: [ahead === 0 ? 'Starting…' : `${count(ahead, 'transfer')} ahead of yours.`],
        buttons: [cancel],
      };
  }
}

function endedContent({ transfer, isRetried = false }: CardState<Send>): CardContent {
  const { files, progress, locations, state, id, cancelledBy } = transfer;
  const { result, difference } = progress;
  const detailsButton = button('Details', 'send.details', {
    value: cardValue.write({ id }),
    accessibilityLabel: `Details of ${files[0]?.name ?? 'this transfer'}`,
  });
  const retryButton = button('Try again…', 'send.again', { value: cardValue.write({ id }), style: 'primary' });
  const differences = differenceMessages(progress);
  const corrections = correctionMessages(sendKind.texts, progress);
  const unapproved = unapprovedTitle(transfer.progress);
  if (unapproved !== undefined) {
    const buttons = result?.code === 'declined' ? [editButton(id, 'primary')] : [retryButton, editButton(id)];
    return { title: unapproved, messages: [result?.message ?? ''], buttons };
  }
  switch (state) {
    case 'sent':
      if (difference !== undefined)
        return {
          title: '⚠️ Sent with differences',
          messages: [...corrections, ...differences, holdMessage],
          buttons: [detailsButton, repeatMenu(id)],
        };
      if (corrections.length > 0)
        return {
          title: progress.duplicate === undefined ? '✅ Sent' : '⚠️ Sent twice',
          messages: corrections,
          buttons: [detailsButton, repeatMenu(id)],
        };
      return {
        title: '✅ Sent',
        messages: transfer.isSeen ? [] : ["The service accepted it. Its history doesn't show it yet."],
        buttons: [detailsButton, repeatMenu(id)],
      };
    case 'cancelled':
      return {
        title: 'Cancelled',
        messages: [cancelledBy === transfer.person ? 'Nothing was sent.' : 'An admin cancelled it. Nothing was sent.'],
        buttons: isRetried ? [] : [retryButton],
      };
    case 'unknown':
      return {
        title: '⚠️ Delivery unconfirmed',
        messages: [withReference(result?.message ?? '', id), ...differences, holdMessage],
        buttons: isRetried ? [] : [repeatMenu(id)],
      };
    default:
      return {
        title: isProbablyNotSent(progress) ? '⚠️ Probably not sent' : '⚠️ Not sent',
        messages: [
          withReference(result?.message ?? 'Something went wrong.', id),
          ...(locations.adminQuestion === undefined ? [] : ['An admin has been notified.']),
        ],
        buttons: isRetried ? [] : failureButtons(transfer, retryButton),
      };
  }
}

/** After these results, the same content would be refused again. */
const uselessToRetry = ['empty-file', 'expired', 'infected', 'not-allowed'];

function failureButtons({ id, files, progress: { result }, locations }: Send, retryButton: Button): Button[] {
  if (result?.code === 'unexpected-files') {
    const confirm = confirmation(
      'Delete these files and send?',
      andList(result.names, 6),
      'Delete and send',
      'Keep files',
    );
    return [
      retryButton,
      ...(locations.adminQuestion === undefined
        ? [button('Ask an admin', 'send.ask', { value: cardValue.write({ id }) })]
        : []),
      button('Delete and send (admins)', 'send.remove', {
        value: cardValue.write({ id }),
        style: 'danger',
        confirm,
      }),
    ];
  }
  const failedIndexes = files.flatMap(({ name }, index) => (result?.names.includes(name) ? [index] : []));
  const retry = uselessToRetry.includes(result?.code ?? '') ? editButton(id, 'primary') : retryButton;
  if (failedIndexes.length === 0 || failedIndexes.length === files.length) return [retry];
  const [firstFailed = 0] = failedIndexes;
  const failedText = failedIndexes.length === 1 ? files[firstFailed]?.name : count(failedIndexes.length, 'file');
  const label = `Send without ${failedText}…`;
  return [retry, button(label, 'send.again#without', { value: cardValue.write({ id, without: failedIndexes }) })];
}

/** For example `▓▓▓▓░░░░░░ 42% · 1.2 GB of 2.9 GB · 8.4 MB/s · about 3 minutes left`. */
function progressText({ bytes, totalBytes }: Progress, rate = 0): string {
  const fraction = totalBytes === 0 ? 1 : Math.min(1, bytes / totalBytes);
  const filled = Math.round(10 * fraction);
  return [
    `${'▓'.repeat(filled)}${'░'.repeat(10 - filled)} ${Math.floor(100 * fraction)}%`,
    `${sizeOf(bytes)} of ${sizeOf(totalBytes)}`,
    ...(rate > 0 ? [`${sizeOf(rate)}/s`, timeLeftText((totalBytes - bytes) / rate)] : []),
  ].join(' · ');
}

function timeLeftText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (seconds < 60) return 'less than a minute left';
  if (minutes < 60) return `about ${count(minutes, 'minute')} left`;
  return `about ${count(Math.round(minutes / 60), 'hour')} left`;
}
