import type { InputBlock, Option } from '@slack/types';
import type { Contact, ContactLists } from '../../../exchange/index.ts';
import type { DroplineError } from '../../../lib/errors.ts';
import { choicesField, type FieldOptions, option } from '../../../slack/blocks.ts';
import type { Filled } from '../../../slack/form.ts';
import type { Interaction } from '../../../slack/interaction.ts';
import { fitMiddle, limits, truncateText } from '../../../slack/limits.ts';
import type { Suggestions } from '../../../slack/routes.ts';
import { andList, count, oneLine, shownNumber } from '../../../slack/words.ts';
import type { Desk } from '../../../store/index.ts';
import { typedSearch } from '../../common/search/form.ts';
import type { Services } from '../../common/services.ts';
import { expectAllowed, isDomainAllowed } from '../../settings/permission.ts';
import type { Settings } from '../../settings/repository.ts';
import { notInContacts } from './errors.ts';
import { parseEmail } from './fields.ts';
import {
  type Chosen,
  type ContactWithEmail,
  contactId,
  contactsByAddress,
  contactsById,
  groupId,
  groupNamesById,
  groupsOf,
} from './ids.ts';
import { cachedContacts, contactsOf, refreshedContacts } from './operations.ts';
import { filterContacts, rankOf, searchGroups, searchPeople } from './search.ts';

/** A group of contacts, and the number of its members. */
export interface Group {
  group: string;
  members: number;
  /** How many members the workspace's domain rule excludes. */
  notAllowed?: number;
}

/** A contact, marked if the workspace's domain rule excludes it. */
type MarkedContact = ContactWithEmail & { isNotAllowed?: boolean };

const notAllowedText = "Not allowed: your workspace doesn't send to this domain";

/** Slack rejects empty labels. */
const unnamed = '(no name)';

/** Puts the address first, shortened in the middle if necessary: a nickname can imitate another person's address. */
export function recipientOption(recipient: MarkedContact | Group): Option {
  if ('group' in recipient) {
    const { group, members, notAllowed = 0 } = recipient;
    const excludedText = notAllowed === 0 ? '' : `, ${notAllowed} not allowed`;
    return option(oneLine(group) || unnamed, groupId(group), `${count(members, 'member')}${excludedText}`);
  }
  const { email, nick = '', number, isNotAllowed = false } = recipient;
  const emailText = fitMiddle(oneLine(email), limits.optionText) || unnamed;
  const name = oneLine(nick);
  return option(
    name === '' ? emailText : `${emailText} (${name})`,
    contactId(email),
    isNotAllowed ? notAllowedText : shownNumber(number),
  );
}

/** A typeahead field for contacts and groups. In every form, the `recipients` options route serves its suggestions. */
export function recipientsField(
  label: string,
  initial: readonly Option[] = [],
  options: FieldOptions = {},
): InputBlock {
  return choicesField('recipients', label, initial, { placeholder: 'Type a name, email or group', ...options });
}

/**
 * Contacts and groups that match the query. Searches a cached list, because Slack waits only three seconds.
 *
 * @param recentOf resolves with the lower-case addresses that are suggested first, in this order
 */
export async function recipientSuggestions(
  services: Services,
  interaction: Pick<Interaction, 'actor' | 'view'>,
  query: string,
  recentOf: () => Promise<readonly string[]> = async () => [],
): Promise<Suggestions> {
  const { actor } = interaction;
  const { settings, may } = await expectAllowed(services, actor, 'view');
  const [lists, recent] = await Promise.all([cachedContacts(services, actor), recentOf()]);
  const matches = searchIn(lists, query, settings, recent);
  const address = formsThatAdd.has(interaction.view?.callback_id ?? '') ? addressIn(query) : undefined;
  const isKnown = address === undefined || contactsByAddress(lists).has(address.toLowerCase());
  if (isKnown && !isEmpty(matches)) return matches;
  // Another process might have just added the contact.
  const current = await refreshedContacts(services, actor);
  const currentMatches = searchIn(current, query, settings, recent);
  const isNew = address !== undefined && !contactsByAddress(current).has(address.toLowerCase());
  if (!isNew || !isDomainAllowed(settings, address)) return currentMatches;
  return may('contacts') ? withOffer(currentMatches, address) : currentMatches;
}

/**
 * Labels contacts that can't be recipients instead of hiding them, because people would add a missing contact again.
 */
function searchIn(lists: ContactLists, query: string, settings: Settings, recent: readonly string[]): Suggestions {
  const byAddress = contactsByAddress(lists);
  const people = searchPeople(lists, query);
  const matchingGroups = searchGroups(lists, query)
    .slice(0, limits.options)
    .map((name) => groupOf(lists, name));
  const isExcluded = ({ email }: Contact) => email !== undefined && !isDomainAllowed(settings, email);
  const isIncluded = (contact: Contact) => !isExcluded(contact);
  const recentContacts = recent.flatMap((address) => byAddress.get(address) ?? []).filter(isIncluded);
  // “Recent” is above “People”, so a recent recipient whose domain matches isn't shown there if a name matches better.
  const [best] = people;
  const worstRank = best === undefined ? 2 : Math.max(1, rankOf(best, query));
  const recentMatches = filterContacts(recentContacts, query).filter((contact) => rankOf(contact, query) <= worstRank);
  const allowed = people.filter((contact) => isIncluded(contact) && !recentMatches.includes(contact));
  const excluded = people.filter(isExcluded).slice(0, limits.options);
  const hasRule = settings.recipientDomains.length > 0;
  const countExcluded = (group: string) => (hasRule ? groupsOf(lists).get(group)?.filter(isExcluded).length : 0) ?? 0;
  return suggestions([
    ['Recent', recentMatches],
    ['People', [...allowed, ...excluded.map((contact) => ({ ...contact, isNotAllowed: true }))]],
    ['Groups', matchingGroups.map((match) => ({ ...match, notAllowed: countExcluded(match.group) }))],
  ]);
}

/** Forms that open the form for a new contact when its option is chosen. */
const formsThatAdd = new Set(['send.form', 'request.form', 'recipients.form']);

const newPrefix = 'new-';

/** The address that a person typed into the search; undefined if it isn't one, or too long for an option. */
function addressIn(query: string): string | undefined {
  if (query.length > limits.optionText - newPrefix.length) return undefined;
  try {
    return parseEmail(query);
  } catch {
    return undefined;
  }
}

function withOffer(matches: Suggestions, address: string): Suggestions {
  const offer = option(`Add ${address}`, `${newPrefix}${address}`);
  const label = { type: 'plain_text' as const, text: 'New contact' };
  return {
    option_groups: [...('option_groups' in matches ? matches.option_groups : []), { label, options: [offer] }],
  };
}

/** Whether the value belongs to an “Add …” option. */
export const isOffer = (value: string) => value.startsWith(newPrefix);

/** The address of the “Add …” option that was chosen last. */
export function addressToAdd(values: readonly string[]): string | undefined {
  const last = values.at(-1) ?? '';
  return isOffer(last) ? last.slice(newPrefix.length) : undefined;
}

const isEmpty = (matches: Suggestions) => 'options' in matches && matches.options.length === 0;

/** The options under headings, up to Slack's limit. */
export function suggestions(
  sections: readonly [label: string, matches: readonly (MarkedContact | Group)[]][],
): Suggestions {
  const nonEmpty = sections.filter(([, matches]) => matches.length > 0);
  if (nonEmpty.length === 0) return { options: [] };
  return {
    option_groups: nonEmpty.map(([label, matches]) => ({
      label: { type: 'plain_text', text: label },
      options: matches.slice(0, limits.options).map(recipientOption),
    })),
  };
}

/** Looks up the selected options in the contacts. Throws if one of them isn't there. */
export async function readChoice(services: Services, desk: Desk, filled: Filled, field = 'recipients') {
  const choice = await findChoice(services, desk, filled, field);
  if (choice.problem !== undefined) throw choice.problem;
  return choice;
}

/** Like `readChoice`, but returns the error, and the selected options that are in the contacts. */
export async function findChoice(services: Services, desk: Desk, filled: Filled, field = 'recipients') {
  const values = filled.choices(field);
  const missingIn = (lists: ContactLists) =>
    values.filter((value) => !contactsById(lists).has(value) && !groupNamesById(lists).has(value));
  const cached = await contactsOf(services, desk);
  // Another process might have just added and suggested a contact.
  const lists = missingIn(cached).length === 0 ? cached : await contactsOf(services, desk, { fresh: true });
  const missing = missingIn(lists).map((value) => shownValue(value, filled.labels(field)));
  const problem = missing.length === 0 ? undefined : goneError(missing, field);
  return { lists, chosen: knownRecipients(lists, values), problem };
}

const shownValue = (value: string, labels: ReadonlyMap<string, string>) =>
  isOffer(value) ? value.slice(newPrefix.length) : (labels.get(value) ?? 'A contact');

/** The error for contacts or groups that no longer exist. */
export const goneError = (names: readonly string[], field: string): DroplineError =>
  notInContacts(field, names, andList(names));

/** Like `readChoice`, but ignores values that aren't in the contacts. */
export function knownRecipients(lists: ContactLists, values: readonly string[]): Chosen {
  return {
    recipients: values.flatMap((value) => contactsById(lists).get(value)?.email ?? []),
    groups: values.flatMap((value) => groupNamesById(lists).get(value) ?? []),
  };
}

export interface PresetOptions {
  /** Up to as many options as a field can start with. */
  options: Option[];
  /** How many selected options are left out. */
  tooMany: number;
  /** Names that are no longer in the contacts. */
  gone: string[];
}

/** The options that a form starts with, for these recipients. */
export function presetOptions(lists: ContactLists, chosen: Chosen): PresetOptions {
  const people = contactsByAddress(lists);
  const recipients = [
    ...chosen.recipients.map((email) => ({ name: email, recipient: people.get(email.toLowerCase()) })),
    ...chosen.groups.map((name) => ({ name, recipient: groupsOf(lists).has(name) ? groupOf(lists, name) : undefined })),
  ];
  const options = recipients.flatMap(({ recipient }) => (recipient === undefined ? [] : [recipientOption(recipient)]));
  return {
    options: options.slice(0, limits.options),
    tooMany: Math.max(0, options.length - limits.options),
    gone: recipients.filter(({ recipient }) => recipient === undefined).map(({ name }) => name),
  };
}

/** Finds the recipient of a command like `/drop send anna`. The notice says if no contact or several match. */
export async function typedRecipient(
  services: Services,
  desk: Desk,
  nameWords: readonly string[],
): Promise<{ chosen?: Chosen; notice?: string }> {
  const { search: query } = typedSearch(nameWords);
  if (query === undefined) return {};
  const lists = await contactsOf(services, desk, { fresh: true });
  const [first, ...others] = filterContacts([...contactsByAddress(lists).values()], query);
  const typed = `“${truncateText(oneLine(query), 100)}”`;
  if (first === undefined) return { notice: `No contact matches ${typed}.` };
  if (others.length > 0) return { notice: `${others.length + 1} contacts match ${typed}. Choose below.` };
  return { chosen: { recipients: [first.email], groups: [] } };
}

export const tooManyText = (omitted: number) =>
  `This form shows only the first ${limits.options} of your choice. ${count(omitted, 'more is', 'more are')} left out. Choose them again, or use a group.`;

export const groupOf = (lists: ContactLists, group: string): Group => ({
  group,
  members: groupsOf(lists).get(group)?.length ?? 0,
});
