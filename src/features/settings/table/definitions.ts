import { z } from 'zod';
import { bounds } from '../../../lib/bounds.ts';
import {
  channels,
  checks,
  choice,
  domains,
  extensions,
  limit,
  number,
  numberChoice,
  people,
  permission,
  privateChannel,
  type Setting,
  text,
  toggle,
} from './constructors.ts';
import { added, longer, people as mentions, raised, type Weakens, when } from './phrases.ts';

const neutral = () => [];
/** `../weakening.ts` decides, because it depends on other settings. */
const together = neutral;

const daysText = 'Enter a number from 1 to 30.';
const off = 'turned off approval for ';

const permitted =
  (action: string): Weakens<'everyone' | 'admins' | string[]> =>
  (before, after) => {
    if (before === 'everyone' || after === 'admins') return [];
    if (after === 'everyone') return [[`allowed everyone to ${action}`]];
    return added(before === 'admins' ? [] : before, after, (ids) => ['allowed ', ...mentions(ids), ` to ${action}`]);
  };

const whoCan = (action: string) =>
  permission({ page: 'people', title: `Who can ${action}`, label: `Who can ${action}?`, weakens: permitted(action) });

const maximumSize = (what: string) =>
  raised(`removed the maximum size of ${what}`, (size) => `raised the maximum size of ${what} to ${size} MB`);

/**
 * Every simple setting, in the order of the forms. A new one is an entry here, the place that uses it, and a test; the
 * manual's table is compared with it. Inbox channels are a list of their own: `../inbox-channels.ts`.
 */
export const settingsTable = {
  approvalRules: checks({
    page: 'approval',
    title: 'Transfers that need approval',
    label: 'Ask for approval',
    choices: [
      { value: 'every', label: 'For every transfer' },
      { value: 'newRecipients', label: 'For new recipients' },
      { value: 'requests', label: 'For file requests too' },
    ],
    turnsOff: 'Approval',
    weakens: together,
  }),
  approvalDomains: domains({
    page: 'approval',
    title: 'Domains without approval',
    label: 'Trusted domains',
    hint: 'Recipients in any other domain need approval. One per line.',
    none: 'no rule',
    turnsOff: 'Approval of recipients outside trusted domains',
    weakens: longer(`${off}recipients outside trusted domains`, `${off}recipients in `),
  }),
  approvalRecipients: limit({
    page: 'approval',
    title: 'Maximum recipients without approval',
    label: 'Maximum recipients without approval',
    hint: 'Transfers to more recipients need approval.',
    none: 'no rule',
    turnsOff: 'Approval of transfers to many recipients',
    weakens: raised(`${off}transfers to many recipients`, (value) => `${off}transfers to up to ${value} recipients`),
  }),
  approvalMb: limit({
    page: 'approval',
    title: 'Total size without approval',
    label: 'Total size without approval (MB)',
    hint: 'Larger transfers need approval.',
    none: 'no rule',
    isMegabytes: true,
    max: 1_000_000,
    turnsOff: 'Approval of large transfers',
    weakens: raised(`${off}large transfers`, (size) => `${off}transfers of up to ${size} MB`),
  }),
  approvalTypes: extensions({
    page: 'approval',
    title: 'File types that need approval',
    label: 'File types',
    hint: 'Files with these extensions need approval. So do files of unknown types, and those whose content differs from their extension.',
    turnsOff: 'Approval of file types',
    weakens: (before, after) => added(after, before, (types) => [`${off}files of type `, types.join(', ')]),
  }),
  approvalSenders: people({
    page: 'approval',
    title: 'Senders without approval',
    label: 'Trusted senders',
    hint: 'Everyone else needs approval.',
    none: 'no rule',
    turnsOff: 'Approval of senders who are not trusted',
    weakens: longer(`${off}senders who are not trusted`, `${off}transfers by `, (ids) => mentions(ids as string[])),
  }),
  approvers: people({
    page: 'approval',
    title: 'Approvers',
    label: 'Approvers',
    hint: `Up to ${bounds.approvers} people.`,
    max: bounds.approvers,
    weakens: together,
  }),
  approverChannel: privateChannel({
    page: 'approval',
    title: "Approvers' channel",
    label: 'Or the members of a private channel',
    hint: "First add me there: type /invite @dropline. Channels shared with other organisations can't be used.",
    weakens: together,
  }),
  approvalDays: number({
    page: 'approval',
    title: 'Days to wait for approval',
    label: 'Days to wait for a decision',
    hint: "From 1 to 30. After that, the transfer isn't sent.",
    initial: 3,
    schema: z.number(daysText).positive(daysText).max(30, daysText),
    weakens: together,
  }),
  fileTypes: choice({
    page: 'files',
    title: 'The rule for file types',
    label: 'File types',
    choices: [
      { value: 'any', label: 'Any' },
      { value: 'allow', label: 'Only these' },
      { value: 'block', label: 'All except these' },
    ],
    initial: 'any',
    weakens: together,
  }),
  extensions: extensions({
    page: 'files',
    title: 'File extensions',
    label: 'Extensions',
    turnsOff: 'The rule for file types',
    hint: 'The first bytes are checked too. Only these: they must fit the extension, if its type has a signature. All except these: files that look like one of these are refused.',
    weakens: together,
  }),
  maxFileMb: limit({
    page: 'files',
    title: 'The largest file',
    label: 'Largest file (MB)',
    isMegabytes: true,
    max: 1_000_000,
    turnsOff: 'The limit for the size of a file',
    weakens: maximumSize('a file'),
  }),
  maxTotalMb: limit({
    page: 'files',
    title: 'The largest transfer',
    label: 'Largest transfer (MB)',
    hint: 'All files of a transfer together.',
    isMegabytes: true,
    max: 1_000_000,
    turnsOff: 'The limit for the size of a transfer',
    weakens: maximumSize('a transfer'),
  }),
  unscanned: choice({
    page: 'files',
    owner: 'workspace',
    title: "Files that can't be scanned",
    label: "Files that can't be scanned",
    hint: 'Always blocked if the operator requires scanning.',
    choices: [
      {
        value: 'block',
        label: 'Block',
        description: 'Not sent or delivered, for example if too large or the scanner is down.',
      },
      {
        value: 'note',
        label: 'Allow and note it',
        description: 'The transfer, the inbox and the audit log say “not scanned”.',
      },
    ],
    initial: 'block',
    weakens: (_, after) => when(after === 'note', "allowed files that can't be scanned"),
  }),
  // Removed admins aren't notified any more, so the others should know.
  admins: people({
    page: 'people',
    owner: 'workspace',
    title: 'Additional admins',
    label: 'Additional admins',
    hint: 'They can change these settings too.',
    removes: 'All additional admins',
    weakens: (before, after) => [
      ...added(before, after, (ids) => ['made ', ...mentions(ids), ' additional admins']),
      ...added(after, before, (ids) => ['removed ', ...mentions(ids), ' as additional admins']),
    ],
  }),
  senders: whoCan('send files'),
  requesters: whoCan('request files'),
  downloaders: whoCan('download files'),
  contactEditors: whoCan('change contacts'),
  // How numbers are shown: the service gets the same numbers.
  expiryUnit: choice({
    page: 'sending',
    title: 'The expiry unit',
    label: 'Expiry is counted in',
    hint: "How your service counts it: days, if 7 means a week. Ask the people who run it. With “I'm not sure”, people see only the number and no date.",
    choices: [
      { value: 'days', label: 'days' },
      { value: 'hours', label: 'hours' },
      { value: 'minutes', label: 'minutes' },
      { value: 'own', label: "I'm not sure" },
    ],
    initial: 'own',
    weakens: neutral,
  }),
  // What the form suggests.
  expiryDefault: number({
    page: 'sending',
    title: 'The default expiry',
    label: 'Default expiry',
    hint: 'Pre-filled in the form. People can change it.',
    initial: 7,
    weakens: neutral,
  }),
  expiryLongest: limit({
    page: 'sending',
    title: 'The maximum expiry',
    label: 'Maximum expiry',
    hint: "People can't choose more. Leave empty for no limit.",
    turnsOff: 'The maximum expiry',
    weakens: together,
  }),
  undoSeconds: numberChoice({
    page: 'sending',
    title: 'Time to undo',
    label: 'Time to undo',
    hint: 'How long a confirmed transfer waits before anything leaves. 50 seconds more if a recipient is new.',
    choices: [
      ['Off', 0],
      ['5 seconds', 5],
      ['10 seconds', 10],
      ['30 seconds', 30],
      ['1 minute', 60],
      ['2 minutes', 120],
      ['5 minutes', 300],
    ],
    initial: 10,
    weakens: (before, after) => when(after < before, `shortened the time to undo to ${after} seconds`),
  }),
  message: text({
    page: 'sending',
    title: 'The default message',
    label: 'Default message',
    hint: 'Pre-filled in the form. People can change it.',
    none: 'empty',
    removes: 'The default message',
    max: 3_000,
    weakens: neutral,
  }),
  recipientDomains: domains({
    page: 'sending',
    title: 'Allowed domains',
    label: 'Allowed domains',
    hint: 'One per line. Leave empty to allow any.',
    none: 'any',
    turnsOff: 'Allowed domains: files can be sent to any domain',
    weakens: longer('allowed recipients in any domain', 'allowed recipients in '),
  }),
  // Files shared there are offered only to the person who shared them.
  watchedChannels: channels({
    page: 'sending',
    title: 'Watched channels',
    label: 'Watched channels',
    hint: 'When someone shares a file there, I ask them privately whether to send it. First add me: type /invite @dropline there.',
    removes: 'All watched channels',
    weakens: neutral,
  }),
  delivery: choice({
    page: 'delivery',
    title: 'How downloads arrive',
    label: 'Deliver downloads',
    choices: [
      {
        value: 'private',
        label: 'In a direct message',
        description: 'Only the person who clicked Download gets the file.',
      },
      { value: 'thread', label: 'In the thread', description: 'Below the post, for everyone in the channel.' },
      {
        value: 'link',
        label: 'As a link',
        description: "The file isn't uploaded to Slack. The link works for ten minutes.",
      },
    ],
    initial: 'private',
    weakens: together,
  }),
  requests: toggle({
    page: 'service',
    title: 'File requests',
    label: 'File requests',
    off: { label: 'Off', description: "People can't request files." },
    on: { label: 'On', description: 'People can request files, if the permissions allow it.' },
    weakens: (_, after) => when(after, 'turned on file requests'),
  }),
  // What the service can do. Dropline also turns it off by itself.
  contactsOnlyAdd: toggle({
    page: 'service',
    title: 'Contact sync',
    label: 'Contact sync',
    hint: "Choose add-only only if your service's operator says so. On any other service, adding a contact would remove all others.",
    off: {
      label: 'Replace all',
      description: 'As documented by the service. Contacts can be changed and removed.',
    },
    on: { label: 'Add-only service', description: 'Contacts can be added, but not changed or removed.' },
    weakens: neutral,
  }),
};

export type SettingName = keyof typeof settingsTable;
export const settingNames = Object.keys(settingsTable) as SettingName[];
/** The table for code that treats all settings alike. */
export const definitions: Record<SettingName, Setting> = settingsTable;
