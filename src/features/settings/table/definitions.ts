import { z } from 'zod';
import { bounds } from '../../../lib/bounds.ts';
import { initialAuditDays } from '../../../store/index.ts';
import {
  type AllowedPeople,
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
  type Setting,
  sizeLimit,
  text,
  toggle,
} from './constructors.ts';
import { added, longer, people as mentions, raised, type Weakens, when } from './phrases.ts';

const neutral = () => [];
/** `../weakening.ts` decides, because it depends on other settings. */
const together = neutral;

const daysText = 'Enter a number from 1 to 30.';
const auditDaysText = 'Enter a number from 30 to 3650.';
const off = 'turned off approval for ';

const permitted =
  (action: string): Weakens<AllowedPeople> =>
  (before, after) => {
    if (before === 'everyone' || after === 'admins') return [];
    if (after === 'everyone') return [[`allowed everyone to ${action}`]];
    return added(before === 'admins' ? [] : before, after, (ids) => ['allowed ', ...mentions(ids), ` to ${action}`]);
  };

const whoCan = (action: string) => permission({ label: `Who can ${action}`, weakens: permitted(action) });

const maximumSize = (what: string) =>
  raised(`removed the maximum size of ${what}`, (size) => `raised the maximum size of ${what} to ${size} MB`);

/**
 * Every simple setting, by page. A new one is an entry here, the place that uses it, and a test; the manual's table is
 * compared with it. Inbox channels are a list of their own: `../inbox-channels.ts`.
 */
export const pages = {
  people: {
    title: 'Permissions',
    settings: {
      admins: people({
        owner: 'workspace',
        label: 'Additional admins',
        hint: 'They can change these settings too.',
        removes: 'All additional admins',
        // Removed admins aren't notified any more, so the others should know.
        weakens: (before, after) => [
          ...added(before, after, (ids) => ['made ', ...mentions(ids), ' additional admins']),
          ...added(after, before, (ids) => ['removed ', ...mentions(ids), ' as additional admins']),
        ],
      }),
      senders: whoCan('send files'),
      requesters: whoCan('request files'),
      downloaders: whoCan('download files'),
      contactEditors: whoCan('change contacts'),
      auditors: people({
        owner: 'workspace',
        label: 'Auditors',
        hint: "They can read and export the audit log and everyone's history. That gives them no other right.",
        removes: 'All auditors',
        weakens: (before, after) =>
          added(before, after, (ids) => ['let ', ...mentions(ids), " read the audit log and everyone's history"]),
      }),
      auditDays: number({
        owner: 'workspace',
        label: 'Days to keep the audit log',
        hint: 'From 30 to 3650. A shorter time takes effect after a day, and older entries are deleted.',
        initial: initialAuditDays,
        schema: z.int(auditDaysText).min(30, auditDaysText).max(3_650, auditDaysText),
        weakens: (before, after) => when(after < before, `shortened how long the audit log is kept to ${after} days`),
      }),
    },
  },
  approval: {
    title: 'Approval rules',
    settings: {
      approvalRules: checks({
        label: 'Ask for approval',
        choices: {
          every: 'For every transfer',
          newRecipients: 'For new recipients',
          requests: 'For file requests too',
        },
        turnsOff: 'Approval',
        weakens: together,
      }),
      approvalDomains: domains({
        label: 'Trusted domains',
        hint: 'Recipients in any other domain need approval.',
        turnsOff: 'Approval of recipients outside trusted domains',
        weakens: longer(`${off}recipients outside trusted domains`, `${off}recipients in `),
      }),
      approvalRecipients: limit({
        label: 'Maximum recipients without approval',
        turnsOff: 'Approval of transfers to many recipients',
        weakens: raised(`${off}transfers to many recipients`, (n) => `${off}transfers to up to ${n} recipients`),
      }),
      approvalMb: sizeLimit({
        label: 'Total size without approval (MB)',
        title: 'Total size without approval',
        turnsOff: 'Approval of large transfers',
        weakens: raised(`${off}large transfers`, (size) => `${off}transfers of up to ${size} MB`),
      }),
      approvalTypes: extensions({
        label: 'File types that need approval',
        hint: 'And files of unknown types, or with content of another type.',
        turnsOff: 'Approval of file types',
        weakens: (before, after) => added(after, before, (types) => [`${off}files of type ${types.join(', ')}`]),
      }),
      approvalSenders: people({
        label: 'Trusted senders',
        hint: 'Everyone else needs approval.',
        turnsOff: 'Approval of senders who are not trusted',
        weakens: longer(`${off}senders who are not trusted`, `${off}transfers by `, mentions),
      }),
    },
  },
  approvers: {
    title: 'Approvers',
    settings: {
      approvers: people({
        label: 'Approvers',
        hint: `Up to ${bounds.approvers} people and channels.`,
        max: bounds.approvers,
        weakens: together,
      }),
      approvalDays: number({
        label: 'Days to wait for a decision',
        hint: "From 1 to 30. After that, the transfer isn't sent.",
        initial: 3,
        schema: z.number(daysText).positive(daysText).max(30, daysText),
        weakens: together,
      }),
    },
  },
  expiry: {
    title: 'Expiry',
    settings: {
      // How numbers are shown: the service gets the same numbers.
      expiryUnit: choice({
        label: 'Expiry is counted in',
        hint: "How your service counts it: days, if 7 means a week. Ask the people who run it. With “I'm not sure”, people see only the number and no date.",
        choices: { days: 'days', hours: 'hours', minutes: 'minutes', own: "I'm not sure" },
        initial: 'own',
        weakens: neutral,
      }),
      // What the form suggests.
      expiryDefault: number({ label: 'Default expiry', hint: 'People can change it.', initial: 7, weakens: neutral }),
      expiryLongest: limit({ label: 'Maximum expiry', turnsOff: 'The maximum expiry', weakens: together }),
    },
  },
  sending: {
    title: 'Sending',
    settings: {
      undoSeconds: numberChoice({
        label: 'Time to undo',
        hint: 'How long a confirmed transfer waits. 50 seconds more if a recipient is new.',
        choices: {
          0: 'Off',
          5: '5 seconds',
          10: '10 seconds',
          30: '30 seconds',
          60: '1 minute',
          120: '2 minutes',
          300: '5 minutes',
        },
        initial: 10,
        weakens: (before, after) => when(after < before, `shortened the time to undo to ${after} seconds`),
      }),
      message: text({
        label: 'Default message',
        hint: 'People can change it.',
        removes: 'The default message',
        maxLength: 3_000,
        weakens: neutral,
      }),
      recipientDomains: domains({
        label: 'Allowed domains',
        hint: 'Files can only be sent there.',
        none: 'any',
        turnsOff: 'Allowed domains: files can be sent to any domain',
        weakens: longer('allowed recipients in any domain', 'allowed recipients in '),
      }),
      // Files shared there are offered only to the person who shared them.
      watchedChannels: channels({
        label: 'Watched channels',
        hint: 'I ask people who share files there whether to send them. First add me: type /invite @dropline there.',
        removes: 'All watched channels',
        weakens: neutral,
      }),
    },
  },
  files: {
    title: 'File rules',
    settings: {
      fileTypes: choice({
        label: 'File types',
        choices: { any: 'Any', allow: 'Only these', block: 'All except these' },
        initial: 'any',
        weakens: together,
      }),
      extensions: extensions({
        label: 'Extensions',
        hint: "The first bytes are checked too: they must fit an allowed extension, and mustn't look like one that isn't.",
        turnsOff: 'The rule for file types',
        weakens: together,
      }),
      maxFileMb: sizeLimit({
        label: 'Largest file (MB)',
        title: 'Largest file',
        turnsOff: 'The limit for the size of a file',
        weakens: maximumSize('a file'),
      }),
      maxTotalMb: sizeLimit({
        label: 'Largest transfer (MB)',
        title: 'Largest transfer',
        hint: 'All its files together.',
        turnsOff: 'The limit for the size of a transfer',
        weakens: maximumSize('a transfer'),
      }),
      unscanned: choice({
        owner: 'workspace',
        label: "Files that can't be scanned",
        choices: {
          block: ['Block', 'Not sent or delivered, for example if too large or the scanner is down.'],
          note: ['Allow and note it', 'The transfer, the inbox and the audit log say “not scanned”.'],
        },
        initial: 'block',
        weakens: (_, after) => when(after === 'note', "allowed files that can't be scanned"),
      }),
    },
  },
  delivery: {
    title: 'Downloads',
    settings: {
      delivery: choice({
        label: 'Deliver downloads',
        choices: {
          private: ['In a direct message', 'Only the person who clicked Download gets the file.'],
          thread: ['In the thread', 'Below the post, for everyone in the channel.'],
          link: ['As a link', "The file isn't uploaded to Slack. The link works for ten minutes."],
        },
        initial: 'private',
        weakens: together,
      }),
    },
  },
  service: {
    title: 'Service',
    settings: {
      requests: toggle({
        label: 'File requests',
        choices: {
          false: ['Off', "People can't request files."],
          true: ['On', 'People can request files, if the permissions allow it.'],
        },
        weakens: (_, after) => when(after, 'turned on file requests'),
      }),
      // What the service can do. Dropline also turns it off by itself.
      contactsOnlyAdd: toggle({
        label: 'Contact sync',
        hint: "Choose add-only only if your service's operator says so. On any other service, adding a contact would remove all others.",
        choices: {
          false: ['Replace all', 'As documented by the service. Contacts can be changed and removed.'],
          true: ['Add-only service', 'Contacts can be added, but not changed or removed.'],
        },
        weakens: neutral,
      }),
    },
  },
};

export type Page = keyof typeof pages;
export const pageNames = Object.keys(pages) as Page[];

export const settingsTable = {
  ...pages.people.settings,
  ...pages.approval.settings,
  ...pages.approvers.settings,
  ...pages.expiry.settings,
  ...pages.sending.settings,
  ...pages.files.settings,
  ...pages.delivery.settings,
  ...pages.service.settings,
};
export type SettingName = keyof typeof settingsTable;
export const settingNames = Object.keys(settingsTable) as SettingName[];
export const namesOn = (page: Page): SettingName[] => Object.keys(pages[page].settings) as SettingName[];

/** The table for code that treats all settings alike. */
export const definitions: Record<SettingName, Setting> = settingsTable;

/** The names of the two fields of a list of people. A permission has another field with its own name: the choice. */
export const peopleFieldOf = (name: SettingName) =>
  definitions[name].input.kind === 'permission' ? `${name}People` : name;
export const channelsFieldOf = (name: SettingName) => `${name}Channels`;
