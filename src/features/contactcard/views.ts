import type { ModalView } from '@slack/types';
import {
  actions,
  type Blocks,
  button,
  divider,
  header,
  line,
  list,
  menu,
  moment,
  note,
  type Piece,
  section,
} from '../../slack/blocks.ts';
import { fitMiddle, truncateText } from '../../slack/limits.ts';
import { modal } from '../../slack/views.ts';
import { oneLine, shownAddress } from '../../slack/words.ts';
import { itemIdOf } from '../common/ids.ts';
import type { InboxItem } from '../common/services.ts';
import { contactId, versionOf } from '../contacts/list/ids.ts';
import { writePosition } from '../contacts/list/position.ts';
import { changePieces, detailsOf } from '../contacts/list/views.ts';
import { menuValue, type OpenContact } from '../contacts/views.ts';
import { entryBlocks } from '../history/views.ts';
import { membersUnknownNotes, namesOf, searchedNotes, timesOf } from '../inbox/items/views.ts';
import type { ExpiryUnit } from '../settings/repository.ts';
import { expiryPieces } from '../transfers/expiry.ts';
import { uploadedText } from '../transfers/request/card.ts';
import type { FileRequest } from '../transfers/transfer.ts';
import type { TransferHistory } from './operations.ts';

export interface ContactCard extends TransferHistory, OpenContact {}

export function cardView(card: ContactCard): ModalView {
  const { contact, position } = card;
  const { query, page } = position;
  const id = contactId(contact.email);
  const metadata = writePosition({ query, page, card: id });
  return modal(
    'Contact',
    [
      header(fitMiddle(oneLine(contact.nick ?? '') || oneLine(contact.email), 100)),
      ...contactBlocks(card),
      actions(...buttons(card, id)),
      ...requestBlocks(card),
      ...sentBlocks(card),
      ...receivedBlocks(card),
    ],
    { metadata },
  );
}

/** Shows the email in code style, because Slack has no Copy button: a double click selects exactly the email. */
function contactBlocks({ contact, isGlobal, change }: ContactCard): Blocks {
  const details = [...detailsOf(contact), ...(isGlobal ? ['managed by the service'] : [])];
  const editor: Piece = change?.person === undefined ? 'another workspace' : { user: change.person };
  return [
    line('Email: ', { code: shownAddress(contact.email) }),
    section(details.join(' · ')),
    ...(change === undefined
      ? []
      : [
          line(
            'Changed ',
            moment(change.at),
            ' by ',
            editor,
            ...(change.number ? [': ', ...changePieces(change.number)] : []),
          ),
        ]),
  ];
}

function buttons({ contact, isGlobal, rights, canSend, canRequest, position }: ContactCard, id: string) {
  const canChangeThis = rights.canEdit && !isGlobal;
  const version = versionOf(contact);
  const address = shownAddress(contact.email);
  const send = button('Send', 'contacts.send', {
    value: id,
    style: 'primary',
    accessibilityLabel: `Send files to ${address}`,
  });
  const request = button('Request', 'contacts.request', {
    value: id,
    accessibilityLabel: `Request files from ${address}`,
  });
  return [
    ...(canSend ? [send] : []),
    ...(canRequest ? [request] : []),
    ...(canChangeThis
      ? [
          button('Edit', 'contacts.menu#edit', {
            value: menuValue.write({ entry: 'edit', version }),
            accessibilityLabel: `Edit ${address}`,
          }),
          menu('contacts.menu#more', [
            ['Groups', menuValue.write({ entry: 'groups', version })],
            ['Remove', menuValue.write({ entry: 'remove', version })],
          ]),
        ]
      : []),
    button('Back to contacts', 'contacts.page#back', { value: String(position.page) }),
  ];
}

function requestBlocks({ requests, contact, unit }: ContactCard): Blocks {
  if (requests.length === 0) return [];
  return [header('Open requests'), list(requests.map((request) => requestPieces(request, contact.email, unit)))];
}

const stateTexts: Partial<Record<FileRequest['state'], string>> = {
  approval: 'Waiting for approval',
  unknown: '⚠️ Request unconfirmed',
};

function requestPieces(request: FileRequest, email: string, unit: ExpiryUnit): Piece[] {
  const { state, person, createdAt, endedAt, message, expiresAfter, answers } = request;
  const by: Piece[] = [' · ', moment(createdAt), ' by ', { user: person }];
  const subject = { bold: truncateText(oneLine(message), 100) || 'File request' };
  if (endedAt === undefined) return [subject, ...by, ` · ${stateTexts[state] ?? 'Sending'}`];
  const answerText = uploadedText(answers.filter(({ from }) => from === email.toLowerCase()));
  return [subject, ...by, ' · ', ...expiryPieces(endedAt, expiresAfter, unit), ` · ${stateTexts[state] ?? answerText}`];
}

function sentBlocks({ sent, contact }: ContactCard): Blocks {
  if (sent === undefined) return [];
  const title = header('Sent');
  if (sent === 'unreadable') return [title, section("⚠️ The service's history couldn't be read. Try again later.")];
  const { transfers, total } = sent;
  if (total === 0) return [title, section('Nothing sent yet.')];
  const seeAllText = `To see all ${total.toLocaleString('en')}, type /drop history ${shownAddress(contact.email)}`;
  return [
    title,
    ...transfers.flatMap((transfer) => entryBlocks(transfer)).slice(1),
    ...(total > transfers.length ? [note(seeAllText)] : []),
  ];
}

function receivedBlocks({ received, unit }: ContactCard): Blocks {
  if (received === undefined) return [];
  const title = header('Received');
  const { items, searched, areUnknown } = received;
  const emptyText = searched === undefined ? 'Nothing received yet.' : 'No results.';
  const shown = items.flatMap((item) => [divider(), ...itemBlocks(item, unit)]).slice(1);
  return [
    title,
    ...membersUnknownNotes(areUnknown),
    ...(items.length === 0 ? [section(emptyText)] : shown),
    ...searchedNotes(searched),
  ];
}

function itemBlocks(item: InboxItem, unit: ExpiryUnit): Blocks {
  const names = namesOf(item, 3) || '(no files)';
  const files = button('Files', 'inbox.files', {
    value: itemIdOf(item.url),
    accessibilityLabel: `Files: ${names}`,
  });
  const times = timesOf(item, unit);
  return [
    section(names, item.isGone || item.files.length === 0 ? undefined : files),
    ...(times.length === 0 ? [] : [line(...times)]),
  ];
}
