import type { InputBlock } from '@slack/types';
import { type Blocks, choiceField } from '../../../slack/blocks.ts';
import { fieldName, newFieldId } from '../../../slack/field-ids.ts';
import type { Filled } from '../../../slack/form.ts';
import { channelsField, peopleField } from '../../../slack/pickers.ts';
import { noPersonSelected, peopleNotUsed } from '../errors.ts';
import { permissionSettings, type Settings } from '../repository.ts';
import type { AllowedPeople } from '../table/constructors.ts';
import { definitions } from '../table/definitions.ts';
import { isChannel } from '../table/phrases.ts';

/** The two fields of a list of people and private channels: their names and labels. */
interface ListFields {
  people: readonly [name: string, label: string];
  channels: readonly [name: string, label: string];
}

export const channelsOf = (name: string) => `${name}Channels`;

export const namesOfList = (name: string, label: string): ListFields => ({
  people: [name, label],
  channels: [channelsOf(name), `${label}: members of private channels`],
});

const namesOfPermission = (name: string, label: string): ListFields => ({
  people: [`${name}People`, label.replace('Who', 'People who')],
  channels: [channelsOf(name), label.replace('Who', 'Private channels whose members')],
});

export const namedFields = ({ people, channels }: ListFields, ids: readonly string[], hint?: string): InputBlock[] => [
  peopleField(
    ...people,
    ids.filter((id) => !isChannel(id)),
    { hint },
  ),
  channelsField(...channels, ids.filter(isChannel), { isPrivate: true }),
];

/** The people and channels that were chosen; undefined if Slack didn't send one of the fields. */
export function namedIn(filled: Filled, { people: [people], channels: [channels] }: ListFields): string[] | undefined {
  if (!filled.has(people) || !filled.has(channels)) return undefined;
  return [...filled.people(people), ...filled.channels(channels)];
}

/** A choice and, if people are selected, the fields for them. */
export function permissionFields(name: string, label: string, allowed: AllowedPeople, hint?: string): InputBlock[] {
  const chosen = typeof allowed === 'string' ? allowed : 'these';
  return [
    choiceField(
      name,
      `${label}?`,
      [
        ['Everyone', 'everyone'],
        ['Admins only', 'admins'],
        ['Admins and selected people or channels', 'these'],
      ],
      chosen,
      { reportsEntries: true, hint },
    ),
    ...(chosen === 'these' ? selectedPeople(name, label, allowed) : []),
  ];
}

/** Shown only if “Admins and selected people or channels” is chosen. */
const selectedPeople = (name: string, label: string, allowed: AllowedPeople): InputBlock[] =>
  namedFields(namesOfPermission(name, label), typeof allowed === 'string' ? [] : allowed);

function listFields(name: string): string[] {
  const { people, channels } = namesOfPermission(name, '');
  return [people[0], channels[0]];
}

/** The blocks of the permissions form after a choice: with fields for people where they are needed. */
export function withPeopleFields(blocks: Blocks, filled: Filled, settings: Settings): Blocks {
  const nameOf = ({ block_id: id = '' }: Blocks[number]) => fieldName(id);
  const names = Object.values(permissionSettings);
  const blocksByName = new Map(blocks.map((block) => [nameOf(block), block]));
  return blocks
    .filter((block) => !names.flatMap(listFields).includes(nameOf(block)))
    .flatMap((block) => {
      const name = names.find((candidate) => candidate === nameOf(block));
      if (name === undefined || filled.choice(name) !== 'these') return [block];
      const added = selectedPeople(name, definitions[name].label, settings[name]);
      const fields = listFields(name).map(
        (field, index) => blocksByName.get(field) ?? ({ ...added[index], block_id: newFieldId(field) } as InputBlock),
      );
      return [block, ...fields];
    });
}

/** The people that an admin has allowed to do something; undefined if Slack didn't send it. */
export function allowedPeopleIn(filled: Filled, name: string): AllowedPeople | undefined {
  const choice = filled.choice(name);
  if (choice === undefined) return undefined;
  const { people, channels } = namesOfPermission(name, '');
  const named = [...filled.people(people[0]), ...filled.channels(channels[0])];
  if (choice === 'these' && named.length === 0) throw noPersonSelected(filled.has(people[0]) ? people[0] : name);
  if (choice !== 'these' && named.length > 0) throw peopleNotUsed(name);
  if (choice === 'these') return named;
  return choice === 'everyone' ? 'everyone' : 'admins';
}
