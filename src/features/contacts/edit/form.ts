import type { ModalView, Option } from '@slack/types';
import { type Contact, type ContactFields, contactTexts } from '../../../exchange/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import { type Blocks, choicesField, problem, section, textField } from '../../../slack/blocks.ts';
import type { Filled } from '../../../slack/form.ts';
import { limits, truncateText } from '../../../slack/limits.ts';
import { modal } from '../../../slack/views.ts';
import { oneLine } from '../../../slack/words.ts';
import { type TypedContact, typedContact } from '../list/fields.ts';
import { type ListPosition, writePosition } from '../list/position.ts';
import { contactText } from '../list/views.ts';

const maxChars = bounds.contactChars;

export interface ContactForm {
  typed: TypedContact;
  /** The selected groups, as options of the menu. */
  groupOptions: readonly Option[];
  position: ListPosition;
  problem?: string;
}

export function addView({ typed, groupOptions, position, problem: problemText }: ContactForm): ModalView {
  return modal(
    'Add contact',
    [
      ...(problemText === undefined ? [] : [problem(problemText)]),
      ...fields(typed),
      ...groupFields(typed, groupOptions),
    ],
    { id: 'contacts.add', submit: 'Add', close: 'Cancel', metadata: writePosition(position) },
  );
}

export function editView(contact: Contact, { typed, groupOptions, position }: ContactForm): ModalView {
  const blocks = position.onlyGroups ? [section(contactText(contact))] : fields(typed);
  return modal(position.onlyGroups ? 'Groups' : 'Edit contact', [...blocks, ...groupFields(typed, groupOptions)], {
    id: 'contacts.edit',
    submit: 'Save',
    close: 'Cancel',
    metadata: writePosition(position),
  });
}

function fields({ email, number, language, nick }: TypedContact): Blocks {
  return [
    textField('email', 'Email', { value: email, placeholder: 'anna@example.com', maxLength: maxChars.email }),
    textField('number', 'Mobile number', {
      value: number,
      placeholder: '46701234567',
      hint: 'With the country code. Used for verification codes.',
      maxLength: maxChars.number,
      optional: true,
    }),
    textField('nick', 'Name', { value: nick, maxLength: maxChars.nick, optional: true }),
    textField('language', 'Language', {
      value: language,
      placeholder: 'en',
      hint: 'e.g. en, sv',
      maxLength: maxChars.language,
      optional: true,
    }),
  ];
}

function groupFields({ groups }: TypedContact, groupOptions: readonly Option[]): Blocks {
  return [
    choicesField('knownGroups', 'Groups', groupOptions, { placeholder: 'Choose groups', optional: true }),
    textField('groups', 'New groups', {
      value: groups,
      placeholder: 'press, lawyers',
      hint: 'Separated by commas.',
      maxLength: maxChars.groups,
      optional: true,
    }),
  ];
}

/** Reads the submitted form. A field that Slack didn't send keeps its value from `initial`. */
export function readForm(filled: Filled, groupNames: readonly string[], initial?: TypedContact): TypedContact {
  const texts = contactTexts.map((name) => [
    name,
    filled.has(name) ? filled.text(name) : truncateText(initial?.[name] ?? '', maxChars[name]),
  ]);
  const knownGroups = filled.has('knownGroups') ? groupNames : initial?.knownGroups;
  return typedContact.parse({ ...Object.fromEntries(texts), knownGroups, groups: filled.text('groups') });
}

/** The fields that aren't empty, not yet checked. */
export function enteredFields(typed: TypedContact): Partial<Record<keyof ContactFields, unknown>> {
  const groups = [...typed.knownGroups, ...splitNames(typed.groups)];
  const texts = contactTexts.map((name) => [name, typed[name]]).filter(([, text]) => text !== '');
  return { ...Object.fromEntries(texts), ...(groups.length === 0 ? {} : { groups }) };
}

/** The initial values of the form for a contact. */
export function typedOf(contact: Contact): TypedContact {
  const texts = contactTexts.map((name) => [name, contact[name]]);
  return typedContact.parse({ ...Object.fromEntries(texts), knownGroups: shownGroups(contact) });
}

/** The fields that the person changed. A value that was shortened to fit the form, and not edited, isn't a change. */
export function changesOf(contact: Contact, typed: TypedContact, onlyGroups: boolean): ContactFields {
  const initial = typedOf(contact);
  const changes: ContactFields = {};
  for (const name of onlyGroups ? [] : contactTexts) {
    if (oneLine(typed[name]) !== oneLine(truncateText(initial[name], maxChars[name]))) changes[name] = typed[name];
  }
  const [oldGroups, newGroups] = [
    new Set(initial.knownGroups),
    new Set([...typed.knownGroups, ...splitNames(typed.groups)]),
  ];
  if (oldGroups.size !== newGroups.size || [...newGroups].some((name) => !oldGroups.has(name))) {
    const hiddenGroups = contact.groups.filter((name) => !oldGroups.has(name));
    changes.groups = [...hiddenGroups, ...newGroups];
  }
  return changes;
}

/** The groups that a menu can show: only those with a name, up to Slack's limit. */
function shownGroups({ groups }: Contact): string[] {
  return [...new Set(groups)].filter((name) => oneLine(name) !== '').slice(0, limits.options);
}

const splitNames = (text: string) => text.split(',').map(oneLine).filter(Boolean);

/** Parses the words of a command, like `anna@example.com +46 70 123 45 67 Anna of Acme`. */
export function parseCommandWords([email = '', ...words]: readonly string[]): TypedContact {
  const isNumber = (word: string) => /^\+?[\d().\-/]+$/.test(word);
  const nickStart = words.findIndex((word) => !isNumber(word));
  const [number, nick] = nickStart === -1 ? [words, []] : [words.slice(0, nickStart), words.slice(nickStart)];
  return typedContact.parse({ email, number: number.join(' '), nick: nick.join(' ') });
}
