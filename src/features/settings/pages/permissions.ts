import type { InputBlock } from '@slack/types';
import { type Blocks, choiceField } from '../../../slack/blocks.ts';
import { fieldName, newFieldId } from '../../../slack/field-ids.ts';
import type { Filled } from '../../../slack/form.ts';
import { channelsField, peopleField } from '../../../slack/pickers.ts';
import { noPersonSelected, peopleNotUsed } from '../errors.ts';
import { type PeopleSetting, permissionSettings, type Settings } from '../repository.ts';
import type { AllowedPeople } from '../table/constructors.ts';
import { channelsFieldOf, definitions, peopleFieldOf, type SettingName } from '../table/definitions.ts';
import { isChannel } from '../table/phrases.ts';

type PermissionSetting = (typeof permissionSettings)[keyof typeof permissionSettings];

export const isPermission = (name: SettingName): name is PermissionSetting =>
  definitions[name].input.kind === 'permission';
export const isList = (name: SettingName): name is PeopleSetting => definitions[name].input.kind === 'people';

/** The fields for the people and the private channels that a setting names. */
export function namedFields(name: PeopleSetting, ids: readonly string[], hint?: string): InputBlock[] {
  const { label } = definitions[name];
  const [people, channels] = isPermission(name)
    ? [label.replace('Who', 'People who'), label.replace('Who', 'Private channels whose members')]
    : [label, `${label}: members of private channels`];
  const peopleIds = ids.filter((id) => !isChannel(id));
  return [
    peopleField(peopleFieldOf(name), people, peopleIds, { hint }),
    channelsField(channelsFieldOf(name), channels, ids.filter(isChannel), { isPrivate: true }),
  ];
}

/** The people and channels that were chosen; undefined if Slack didn't send one of the fields. */
export function namedIn(filled: Filled, name: PeopleSetting): string[] | undefined {
  const [people, channels] = [peopleFieldOf(name), channelsFieldOf(name)];
  return filled.has(people) && filled.has(channels)
    ? [...filled.people(people), ...filled.channels(channels)]
    : undefined;
}

/** A choice and, if people are selected, the fields for them. */
export function permissionFields(name: PermissionSetting, allowed: AllowedPeople, hint?: string): InputBlock[] {
  const chosen = typeof allowed === 'string' ? allowed : 'these';
  return [
    choiceField(
      name,
      `${definitions[name].label}?`,
      [
        ['Everyone', 'everyone'],
        ['Admins only', 'admins'],
        ['Admins and selected people or channels', 'these'],
      ],
      chosen,
      { reportsEntries: true, hint },
    ),
    ...(chosen === 'these' ? selectedPeople(name, allowed) : []),
  ];
}

/** Shown only if “Admins and selected people or channels” is chosen. */
const selectedPeople = (name: PermissionSetting, allowed: AllowedPeople): InputBlock[] =>
  namedFields(name, typeof allowed === 'string' ? [] : allowed);

/** The blocks of the permissions form after a choice: with fields for people where they are needed. */
export function withPeopleFields(blocks: Blocks, filled: Filled, settings: Settings): Blocks {
  const nameOf = ({ block_id: id = '' }: Blocks[number]) => fieldName(id);
  const names = Object.values(permissionSettings);
  const fieldsOf = (name: PermissionSetting) => [peopleFieldOf(name), channelsFieldOf(name)];
  const blocksByName = new Map(blocks.map((block) => [nameOf(block), block]));
  return blocks
    .filter((block) => !names.flatMap(fieldsOf).includes(nameOf(block)))
    .flatMap((block) => {
      const name = names.find((candidate) => candidate === nameOf(block));
      if (name === undefined || filled.choice(name) !== 'these') return [block];
      const added = selectedPeople(name, settings[name]);
      const fields = fieldsOf(name).map(
        (field, index) => blocksByName.get(field) ?? ({ ...added[index], block_id: newFieldId(field) } as InputBlock),
      );
      return [block, ...fields];
    });
}

/** The people that an admin has allowed to do something; undefined if Slack didn't send it. */
export function allowedPeopleIn(filled: Filled, name: PermissionSetting): AllowedPeople | undefined {
  const choice = filled.choice(name);
  if (choice === undefined) return undefined;
  const named = namedIn(filled, name);
  const isShown = filled.has(peopleFieldOf(name));
  if (choice !== 'these') {
    if ((named ?? filled.people(peopleFieldOf(name))).length > 0) throw peopleNotUsed(name);
    return choice === 'everyone' ? 'everyone' : 'admins';
  }
  if (named?.length === 0 || !isShown) throw noPersonSelected(isShown ? peopleFieldOf(name) : name);
  return named;
}
