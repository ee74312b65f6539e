import type { InputBlock } from '@slack/types';
import { type Blocks, choiceField, section } from '../../../slack/blocks.ts';
import { fieldName, newFieldId } from '../../../slack/field-ids.ts';
import type { Filled } from '../../../slack/form.ts';
import { peopleField } from '../../../slack/pickers.ts';
import { noPersonSelected, peopleNotUsed } from '../errors.ts';
import { actionTexts } from '../permission.ts';
import { type AllowedPeople, type Permission, permissionSettings, permissions, type Settings } from '../repository.ts';

/** The name of the people field that belongs to a permission. */
const peopleOf = (permission: Permission) => `${permissionSettings[permission]}People`;

/** The fields of the permissions form. */
export function peopleBlocks(settings: Settings): Blocks {
  const { admins, requests } = settings;
  return [
    section("Admins can do everything. Guests, bots and people from other organisations can't use Dropline."),
    peopleField('admins', 'Additional admins', admins, {
      hint: 'They can change these settings too.',
    }),
    ...permissions.flatMap((permission) => {
      const hint = permission === 'request' && !requests ? requestsOffHint : undefined;
      return permissionFields(permission, settings[permissionSettings[permission]], hint);
    }),
  ];
}

const requestsOffHint = 'Has no effect now: file requests are off. Turn them on under Service.';

function permissionFields(permission: Permission, allowedPeople: AllowedPeople, hint?: string): InputBlock[] {
  const chosen = typeof allowedPeople === 'string' ? allowedPeople : 'these';
  return [
    choiceField(
      permissionSettings[permission],
      `Who can ${actionTexts[permission]}?`,
      [
        ['Everyone', 'everyone'],
        ['Admins only', 'admins'],
        ['Admins and selected people', 'these'],
      ],
      chosen,
      { reportsEntries: true, hint },
    ),
    ...(chosen === 'these' ? [selectedPeople(permission, allowedPeople)] : []),
  ];
}

/** Shown only if “Admins and selected people” is chosen. */
function selectedPeople(permission: Permission, allowedPeople: AllowedPeople): InputBlock {
  const label = `People who can ${actionTexts[permission]}`;
  return peopleField(peopleOf(permission), label, typeof allowedPeople === 'string' ? [] : allowedPeople);
}

/** The blocks of the permissions form after a choice: with a field for people where it is needed. */
export function withPeopleFields(blocks: Blocks, filled: Filled, settings: Settings): Blocks {
  const nameOf = ({ block_id: id = '' }: Blocks[number]) => fieldName(id);
  const names: string[] = permissions.map(peopleOf);
  const blocksByName = new Map(blocks.map((block) => [nameOf(block), block]));
  return blocks
    .filter((block) => !names.includes(nameOf(block)))
    .flatMap((block) => {
      const permission = permissions.find((candidate) => permissionSettings[candidate] === nameOf(block));
      if (permission === undefined || filled.choice(permissionSettings[permission]) !== 'these') return [block];
      const name = peopleOf(permission);
      const added = {
        ...selectedPeople(permission, settings[permissionSettings[permission]]),
        block_id: newFieldId(name),
      };
      return [block, blocksByName.get(name) ?? added];
    });
}

/** The people that an admin has allowed to do something. */
export function allowedPeopleIn(filled: Filled, permission: Permission, choice: string): AllowedPeople {
  const people = filled.people(peopleOf(permission));
  if (choice === 'these' && people.length === 0) {
    throw noPersonSelected(filled.has(peopleOf(permission)) ? peopleOf(permission) : permissionSettings[permission]);
  }
  if (choice !== 'these' && people.length > 0) throw peopleNotUsed(permissionSettings[permission]);
  if (choice === 'these') return people;
  return choice === 'everyone' ? 'everyone' : 'admins';
}
