import type { ModalView, Option } from '@slack/types';
import { z } from 'zod';
import {
  actions,
  type Blocks,
  button,
  divider,
  field,
  header,
  line,
  note,
  option,
  type Piece,
  section,
  textField,
  wholeList,
} from '../../../../slack/blocks.ts';
import { cutTo } from '../../../../slack/limits.ts';
import { codec } from '../../../../slack/metadata.ts';
import { modal } from '../../../../slack/views.ts';
import { count, expiresAfter, oneLine, shownAddress, shownNumber, sizeOf } from '../../../../slack/words.ts';
import { recipientsField } from '../../../contacts/list/suggest.ts';
import type { Settings } from '../../../settings/settings.ts';
import { unstageButton } from '../../../staging/views.ts';
import { duplicateWarning } from '../../card.ts';
import type { Review } from './prepare.ts';

/** Ids of a message's files, which the form offers in addition to the staged files. */
export const sendMetadata = codec('send form', z.object({ files: z.array(z.string().max(30)).max(50).default([]) }));
export const confirmMetadata = codec('send review', z.object({ confirmation: z.string() }));

export interface SendForm {
  receivers: Option[];
  /** Files that can be ticked. `ticked` has the ids of those that are. */
  offered: { id: string; name: string; size: number }[];
  ticked: string[];
  message: string;
  timeToLive: number;
  unit: Settings['ttl']['unit'];
  /** Ids of a message's files. */
  extra: string[];
  /** What was left out of the form, and why. */
  problems: Problem[];
}

export interface Problem {
  text: string;
  /** The staged file that has the problem. */
  staged?: { id: string; name?: string | undefined } | undefined;
}

const maxOffered = 100;
const maxProblems = 10;

export function sendView(form: SendForm): ModalView {
  const { receivers, offered, ticked, message, timeToLive, unit, extra, problems } = form;
  const tooMany = offered.length - maxOffered;
  const overflow =
    tooMany > 0 ? [{ text: `${count(tooMany, 'file')} more than fit into this form: send these first.` }] : [];
  const options = offered.slice(0, maxOffered).map(({ id, name, size }) => option(`${name} (${sizeOf(size)})`, id));
  const initial = options.filter(({ value }) => ticked.includes(value ?? ''));
  const staged = field(
    'tray',
    'Files that you put aside',
    {
      type: 'multi_static_select',
      options,
      ...(initial.length === 0 ? {} : { initial_options: initial }),
    } as Parameters<typeof field>[2],
    { optional: true, reportsEntries: true },
  );
  return modal(
    'Send files',
    [
      ...[...overflow, ...problems].slice(0, maxProblems).map(problemBlock),
      recipientsField('To', receivers, {
        hint: 'Contacts and groups. You will see every address before anything is sent.',
        reportsEntries: true,
      }),
      actions(button('New contact …', 'contacts.add')),
      ...(options.length === 0 ? [] : [staged]),
      field(
        'files',
        options.length === 0 ? 'Files' : 'More files',
        { type: 'file_input', max_files: 10 } as Parameters<typeof field>[2],
        {
          optional: true,
          hint: 'Up to 10 MB each. Larger: share it with me in a direct message, then come back here.',
        },
      ),
      textField('message', 'Message', {
        value: message,
        multiline: true,
        optional: true,
        hint: 'The service mails it to the receivers.',
        reportsEntries: true,
      }),
      textField(
        'timeToLive',
        unit === 'own' ? "Time to live, in the service's own units" : `Time to live, in ${unit}`,
        {
          value: String(timeToLive),
          most: 10,
          reportsEntries: true,
        },
      ),
      // Slack asks before it closes a changed form. This note says what is saved.
      note('If you leave this form, your draft is saved, except for attached files.'),
    ],
    {
      id: 'send.form',
      submit: 'Check before sending',
      close: 'Cancel',
      metadata: sendMetadata.write({ files: extra }),
      notifyOnClose: true,
    },
  );
}

function problemBlock({ text, staged }: Problem) {
  return section(`⚠️ ${text}`, staged === undefined ? undefined : unstageButton('send.out', staged.id, staged.name));
}

/** Shows everything that will be sent: recipients by address and number, files by the name that recipients see. */
export function reviewView(review: Review, unit: Settings['ttl']['unit']): ModalView {
  const { receivers, hasAllChanges, files, totalBytes, message, timeToLive, earlier } = review;
  const label = `Send ${count(files.length, 'file')} to ${receivers.length === 1 ? '1 person' : `${receivers.length} people`}`;
  const names = files.map(({ name, originalName, size }): Piece[] => [
    { bold: name },
    ` ${sizeOf(size)}`,
    name === originalName ? '' : ` (called “${cutTo(oneLine(originalName), 100)}” in Slack)`,
  ]);
  const blocks: Blocks = [
    ...(earlier === undefined ? [] : [line(...duplicateWarning('dispatch', earlier))]),
    header('To'),
    ...wholeList(receivers.map(recipientPieces)),
    ...(hasAllChanges ? [] : [note('Only the latest contact changes are shown.')]),
    header('Files'),
    ...wholeList(names),
    line(`${sizeOf(totalBytes)} in all. Time to live: ${expiresAfter(timeToLive, unit)}.`),
    ...(message === '' ? [] : [line({ bold: 'Message: ' }, message)]),
    divider(),
    note('A dispatch cannot be recalled, and the service does not tell who has downloaded it.'),
  ];
  return modal('Check before sending', blocks, {
    id: 'send.confirm',
    submit: label.length <= 24 ? label : `Send ${count(files.length, 'file')} now`,
    close: 'Not now',
    metadata: confirmMetadata.write({ confirmation: review.confirmation }),
  });
}

function recipientPieces({ email, number, nick, isFirstTime, changed }: Review['receivers'][number]): Piece[] {
  const shownNick = nick ? ` (${cutTo(oneLine(nick), 100)})` : '';
  const pieces: Piece[] = [{ bold: shownAddress(email) }, `, ${shownNumber(number)}`, shownNick];
  if (isFirstTime === true) pieces.push(' · ', { bold: 'first time' });
  if (isFirstTime === undefined) pieces.push(' · not known whether it is the first time');
  if (changed !== undefined) {
    const seconds = Math.floor(changed.at.getTime() / 1000);
    const by: Piece = changed.person === undefined ? 'another workspace' : { user: changed.person };
    pieces.push(' · ', { bold: 'changed' }, ' by ', by, ' on ', { seconds, format: '{date_short}' });
  }
  return pieces;
}

export function sentView(ahead: number): ModalView {
  const wait = ahead === 0 ? '' : ` ${count(ahead, 'dispatch', 'dispatches')} ahead of it.`;
  return modal('On its way', [
    section(
      `It is on its way.${wait} I keep you posted in our direct messages: progress, how it ends, and what to do if it fails.`,
    ),
  ]);
}
