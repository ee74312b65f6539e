import { createHash } from 'node:crypto';
import type { AuditDetails } from '../../store/index.ts';
import type { Actor } from '../common/services.ts';
import { settingChanged } from './errors.ts';
import { channelIds, channelTexts } from './inbox-channels.ts';
import type { Settings } from './repository.ts';
import { definitions, type SettingName, settingNames } from './table/definitions.ts';

/** Changes of simple settings: which, whether someone else made one too, and what they turn off. */

export type Draft = Partial<Pick<Settings, SettingName>>;

/** Hashes of values when a form was opened, short enough for its metadata. */
export type SeenHashes = Record<string, string>;

/** The order of a list doesn't matter. */
export function hashOf(value: unknown): string {
  const sorted = Array.isArray(value) ? [...value].sort() : value;
  return createHash('sha256')
    .update(JSON.stringify(sorted ?? null))
    .digest('base64url')
    .slice(0, 10);
}

export const hashesOf = (settings: Draft, names: readonly SettingName[]): SeenHashes =>
  Object.fromEntries(names.map((name) => [name, hashOf(settings[name])]));

/** The settings that differ from what the form showed, and from what is stored. */
const enteredIn = (stored: Draft, draft: Draft, seen: SeenHashes): SettingName[] =>
  (Object.keys(draft) as SettingName[]).filter((name) => {
    const storedHash = hashOf(stored[name]);
    return ![storedHash, seen[name] ?? storedHash].includes(hashOf(draft[name]));
  });

/**
 * The settings that an admin changed in a form. Others aren't written, so that another admin's changes to them stay.
 * Throws if another admin changed the same setting while the form was open.
 */
export function changedIn(stored: Draft, draft: Draft, seen: SeenHashes = {}): Draft {
  const changed = enteredIn(stored, draft, seen);
  const conflict = changed.find((name) => seen[name] !== undefined && seen[name] !== hashOf(stored[name]));
  if (conflict !== undefined) throw settingChanged(conflict, definitions[conflict].title);
  return Object.fromEntries(changed.map((name) => [name, draft[name]]));
}

export interface TurnedOff {
  text: string;
  isRule: boolean;
}

/** What a form turns off or removes. Slack can lose a value and send an empty one, so this has to be confirmed. */
export function turnedOff(before: Draft, draft: Draft, seen: SeenHashes = {}): TurnedOff[] {
  return enteredIn(before, draft, seen).flatMap((name) => {
    const { input, show, turnsOff, removes } = definitions[name];
    const [shownBefore, shownAfter] = [show(before[name]), show(draft[name])];
    const isRule = turnsOff !== undefined;
    const text = turnsOff ?? removes;
    if (text === undefined) return [];
    if (input.kind === 'checks')
      return shownBefore.filter((one) => !shownAfter.includes(one)).map((one) => ({ text: `${text} ${one}`, isRule }));
    return shownBefore.length > 0 && shownAfter.length === 0 ? [{ text, isRule }] : [];
  });
}

export type Change = Exclude<NonNullable<AuditDetails<'settings'>['changed']>[number], { omitted: number }>;

/** What has changed, for the audit entry. */
export const describeChanges = (before: Settings, after: Settings): Change[] => [
  ...differing(before, after).map((name) => {
    const { title, show } = definitions[name];
    return { setting: title, from: show(before[name]), to: show(after[name]) };
  }),
  ...channelChanges(before, after),
];

/** For each inbox channel, the properties that differ. */
function channelChanges(before: Settings, after: Settings): Change[] {
  const textsIn = ({ inboxChannels }: Settings, id: string) =>
    inboxChannels.filter((one) => one.channel === id).flatMap(channelTexts);
  return [...new Set([...channelIds(before), ...channelIds(after)])].flatMap((id) => {
    const [earlier, current] = [textsIn(before, id), textsIn(after, id)];
    const from = earlier.filter((text) => !current.includes(text));
    const to = current.filter((text) => !earlier.includes(text));
    return from.length + to.length === 0 ? [] : [{ setting: 'Inbox channel', in: { channel: id }, from, to }];
  });
}

/** The settings after a change, with who made it and when. */
export function withLastChange(before: Settings, after: Settings, { person: by }: Actor): Settings {
  const at = Date.now();
  const areChannelsChanged = channelChanges(before, after).length > 0;
  const names = [...differing(before, after), ...(areChannelsChanged ? ['inboxChannels'] : [])];
  const changed = Object.fromEntries(names.map((name) => [name, { by, at }]));
  return { ...after, changed: { ...before.changed, ...changed } };
}

export const differing = (before: Settings, after: Settings): SettingName[] =>
  settingNames.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
