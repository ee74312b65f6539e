import type { ModalView } from '@slack/types';
import {
  actions,
  type Blocks,
  button,
  confirmation,
  header,
  list,
  moment,
  note,
  type Piece,
  section,
} from '../../slack/blocks.ts';
import { modal } from '../../slack/views.ts';
import { andList, count, listedNames, shownAddress, sizeOf } from '../../slack/words.ts';
import { type FileProblem, problemText, unstageButton } from '../staging/views.ts';
import type { Send } from '../transfers/transfer.ts';
import type { AccountFiles } from './operations.ts';

export interface FilesState {
  staged: (FileProblem & {
    id: string;
    /** Undefined if the file can't be sent. */
    size: number | undefined;
    /** Whether the form for a transfer ticks it. */
    isTicked?: boolean;
  })[];
  /** Undefined if the files couldn't be read from the service; `problem` says why. */
  account: AccountFiles | undefined;
  problem: string | undefined;
  isAdmin: boolean;
  /** The person's planned transfers. */
  planned: readonly Send[];
}

const maxShown = 40;

export function filesView({ staged, account, problem, isAdmin, planned }: FilesState): ModalView {
  const ticked = staged.filter(({ isTicked = true }) => isTicked).length;
  return modal('Files', [
    header('Files ready to send'),
    ...(staged.length === 0 ? [section('No files yet. Send me one in a direct message.')] : []),
    ...staged
      .slice(0, maxShown)
      .map(({ id, name, size, problem: fileProblem }) =>
        section(
          size === undefined ? problemText({ name, problem: fileProblem }) : `${name} · ${sizeOf(size)}`,
          unstageButton('files.unstage', id, name),
        ),
      ),
    ...(staged.length > maxShown ? [note(`and ${count(staged.length - maxShown, 'more file')}`)] : []),
    ...(staged.length === 0
      ? []
      : [
          actions(button(`Send ${ticked === 0 ? 'files' : count(ticked, 'file')}…`, 'send.open', { style: 'primary' })),
        ]),
    ...(planned.length === 0 ? [] : [header('Planned'), list(planned.map(plannedPieces))]),
    header('Uploaded, not sent yet'),
    ...accountBlocks(account, problem, isAdmin),
  ]);
}

const plannedPieces = ({ files, recipients, plannedFor, createdAt }: Send): Piece[] => [
  `${listedNames(files.map(({ name }) => name))} to ${andList(recipients.map(({ email }) => shownAddress(email)))}: `,
  moment(plannedFor ?? createdAt),
];

function accountBlocks(account: AccountFiles | undefined, problem: string | undefined, isAdmin: boolean): Blocks {
  if (account === undefined) return [section(`Couldn't reach the service. ${problem ?? ''}`)];
  const { listed, ours, unexpected } = account;
  if (listed === undefined) {
    const names = ours.length === 0 ? 'none yet' : andList(ours, 10);
    return [section(`A transfer is in progress. Uploaded so far: ${names}.`)];
  }
  if (listed.length === 0)
    return [section("No files. They're uploaded while a transfer runs and removed when it ends.")];
  const unexpectedNames = new Set(unexpected);
  return [
    ...listed.slice(0, maxShown).map(({ name, size }) => {
      const origin = unexpectedNames.has(name) ? 'not uploaded by Dropline, blocks sending' : 'left over from Dropline';
      const confirm = confirmation('Delete this file from the service?', name, 'Delete', 'Cancel');
      const remove = button('Delete', 'files.remove', {
        value: name.slice(0, 2_000),
        style: 'danger',
        confirm,
        accessibilityLabel: `Delete ${name}`,
      });
      return section(`${name} · ${size ?? 'size unknown'} · ${origin}`, isAdmin ? remove : undefined);
    }),
    ...(isAdmin ? [] : [note('Admins can delete them.')]),
  ];
}
