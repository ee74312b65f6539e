import type { ErrorLink } from '../lib/errors.ts';
import { type Blocks, line, linkBlocks, list, section } from './blocks.ts';

/** What doesn't work without each bot scope of the manifest. `manifest/README.md` has the same texts. */
export const withoutScope: Readonly<Record<string, string>> = {
  commands: "there is no /drop, and there aren't any shortcuts",
  'chat:write': "Dropline can't post anything: no cards, no new files, no answers",
  'files:read': "files from Slack can't be sent",
  'files:write': 'exports are off, and downloads are links, or off if Dropline has no public address',
  'users:read': "no one can use Dropline, because it can't tell members from guests",
  'channels:read': "new files can't be posted in public channels",
  'groups:read': "new files can't be posted in private channels, whose members can't approve transfers either",
  'im:history': 'messages to Dropline get no answer, except files',
};

/** The bot scopes that were asked for and not granted. An empty list of granted ones means that Slack didn't report them. */
export function missingScopes(granted: readonly string[] = []): string[] {
  return granted.length === 0 ? [] : Object.keys(withoutScope).filter((scope) => !granted.includes(scope));
}

export const notGranted = "Slack didn't grant Dropline all permissions.";

const effectsOf = (missing: readonly string[]) => missing.map((scope) => `${scope}: ${withoutScope[scope]}`);

/** The same as `missingScopeBlocks` in a message's text. */
export const missingScopeText = (missing: readonly string[]): string[] =>
  missing.length === 0 ? [] : [`${notGranted} ${effectsOf(missing).join('; ')}.`];

/** Says what doesn't work without these scopes, and how to allow them. Nothing if none is missing. */
export function missingScopeBlocks(missing: readonly string[], link: ErrorLink | undefined): Blocks {
  if (missing.length === 0) return [];
  return [
    section(`⚠️ ${notGranted}`),
    list(effectsOf(missing).map((effect) => [effect])),
    ...(link === undefined ? [line(reinstallText)] : linkBlocks(link)),
  ];
}

const reinstallText =
  'To allow them, open /slack/install at Dropline\'s address, or in the Slack app: "OAuth & Permissions" > "Reinstall to Workspace".';
