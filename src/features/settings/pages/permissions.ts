import type { InputBlock } from '@slack/types';
import { type Blocks, choiceField } from '../../../slack/blocks.ts';
import { fieldName, newFieldId } from '../../../slack/field-ids.ts';
import type { Filled } from '../../../slack/form.ts';
import { peopleField } from '../../../slack/pickers.ts';
import { noPersonSelected, peopleNotUsed } from '../errors.ts';
import { permissionSettings, type Settings } from '../repository.ts';
import type { AllowedPeople } from '../table/constructors.ts';
import { definitions } from '../table/definitions.ts';

/** The name of the people field that belongs to a permission. */
const peopleOf = (name: string) => `${name}People`;

/** A choice and, if people are selected, a field for them. */
export function permissionFields(name: string, label: string, allowed: AllowedPeople, hint?: string): InputBlock[] {
  const chosen = typeof allowed === 'string' ? allowed : 'these';
  return [
    choiceField(
      name,
      `${label}?`,
      [
        ['Everyone', 'everyone'],
        ['Admins only', 'admins'],
        ['Admins and selected people', 'these'],
      ],
      chosen,
      { reportsEntries: true, hint },
    ),
    ...(chosen === 'these' ? [selectedPeople(name, label, allowed)] : []),
  ];
}

/** Shown only if “Admins and selected people” is chosen. */
function selectedPeople(name: string, label: string, allowed: AllowedPeople): InputBlock {
  const people = typeof allowed === 'string' ? [] : allowed;
  return peopleField(peopleOf(name), label.replace('Who', 'People who'), people);
}

/** The blocks of the permissions form after a choice: with a field for people where it is needed. */
export function withPeopleFields(blocks: Blocks, filled: Filled, settings: Settings): Blocks {
  const nameOf = ({ block_id: id = '' }: Blocks[number]) => fieldName(id);
  const names = Object.values(permissionSettings);
  const blocksByName = new Map(blocks.map((block) => [nameOf(block), block]));
  return blocks
    .filter((block) => !names.map(peopleOf).includes(nameOf(block)))
    .flatMap((block) => {
      const name = names.find((candidate) => candidate === nameOf(block));
      if (name === undefined || filled.choice(name) !== 'these') return [block];
      const peopleName = peopleOf(name);
      const added = selectedPeople(name, definitions[name].label, settings[name]);
      return [block, blocksByName.get(peopleName) ?? { ...added, block_id: newFieldId(peopleName) }];
    });
}

/** The people that an admin has allowed to do something; undefined if Slack didn't send it. */
export function allowedPeopleIn(filled: Filled, name: string): AllowedPeople | undefined {
  const choice = filled.choice(name);
  if (choice === undefined) return undefined;
  const people = filled.people(peopleOf(name));
  if (choice === 'these' && people.length === 0)
    throw noPersonSelected(filled.has(peopleOf(name)) ? peopleOf(name) : name);
  if (choice !== 'these' && people.length > 0) throw peopleNotUsed(name);
  if (choice === 'these') return people;
  return choice === 'everyone' ? 'everyone' : 'admins';
}
