import type { Contact } from '../../../exchange/index.ts';
import type { Piece } from '../../../slack/blocks.ts';
import { fitMiddle, truncateText } from '../../../slack/limits.ts';
import { andList, oneLine, shownNumber } from '../../../slack/words.ts';
import type { FieldChange } from './compare.ts';
import { fieldNames } from './fields.ts';

/** Two lines: the address and name, then the other fields. */
export function contactText(contact: Contact): string {
  const { email = '', nick = '' } = contact;
  const name = truncateText(oneLine(nick), 100);
  const address = fitMiddle(oneLine(email), 254) || 'No email address';
  return `${address}${name === '' ? '' : ` (${name})`}\n${detailsOf(contact).join(' · ')}`;
}

/** The fields other than address and name. */
export function detailsOf({ number = '', language = '', groups }: Contact): string[] {
  const groupNames = groups.map((group) => truncateText(oneLine(group), 40)).filter((group) => group !== '');
  const groupText = groupNames.length === 0 ? '' : `in ${andList(groupNames)}`;
  return [shownNumber(number), truncateText(oneLine(language), 35), groupText].filter((part) => part !== '');
}

/** A changed field, as “mobile number 46701 → 46702”. */
export function changePieces({ field, from, to }: FieldChange): Piece[] {
  const valuePiece = (value: string): Piece => {
    const text = truncateText(oneLine(value), 100);
    return text === '' ? 'not set' : { code: text };
  };
  return [`${fieldNames[field]} `, valuePiece(from), ' → ', valuePiece(to)];
}
