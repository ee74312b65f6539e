import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { FieldErrors } from '../../../lib/errors.ts';
import { type Blocks, field, option, section, textField } from '../../../slack/blocks.ts';
import type { Filled } from '../../../slack/form.ts';
import { codec } from '../../../slack/metadata.ts';
import { channelField, inviteHint, peopleField } from '../../../slack/pickers.ts';
import { modal } from '../../../slack/views.ts';
import { andList } from '../../../slack/words.ts';
import { notAWholeNumber } from '../errors.ts';
import { notADomain, notAnExtension, waitOutOfRange } from './errors.ts';
import { type ApprovalPolicy, hasRules } from './fields.ts';
import { policyHash } from './operations.ts';

export const approvalMetadata = codec('approval settings form', z.object({ seen: z.string() }));

const megabyte = 1_000_000;

/** @param clearing the rules that the form would turn off, which the admin has to confirm */
export function approvalForm(
  policy: ApprovalPolicy,
  seen = policyHash(policy),
  clearing: readonly string[] = [],
): ModalView {
  return modal('Approval', [...clearingBlocks(clearing), ...fieldsFor(policy)], {
    id: 'settings.approval',
    submit: 'Save',
    close: 'Cancel',
    metadata: approvalMetadata.write({ seen }),
  });
}

function clearingBlocks(clearing: readonly string[]): Blocks {
  if (clearing.length === 0) return [];
  return [
    section(`⚠️ Nothing is saved yet. This turns off: ${andList(clearing, 10)}. Confirm it, then save again.`),
    checkboxes('clear', 'Confirm', [['Turn off these rules', 'approval']], []),
  ];
}

function checkboxes(name: string, label: string, choices: [string, string][], ticked: readonly string[]) {
  const options = choices.map(([text, value]) => option(text, value));
  const initial = options.filter(({ value }) => ticked.includes(value ?? ''));
  const element = { type: 'checkboxes', options, ...(initial.length > 0 && { initial_options: initial }) };
  return field(name, label, element as Parameters<typeof field>[2], { optional: true });
}

const numberText = (value: number | undefined) => (value === undefined ? '' : String(value));

function fieldsFor(policy: ApprovalPolicy): Blocks {
  const { every, newRecipients, domains, recipients, bytes, fileTypes, senders, requests } = policy;
  const { approvers, channel, waitDays } = policy;
  const ticked = [every ? 'every' : '', newRecipients ? 'newRecipients' : '', requests ? 'requests' : ''];
  return [
    section(
      "A transfer that matches a rule waits until another person approves it. Senders can't approve their own transfers.",
    ),
    checkboxes(
      'approvalRules',
      'Ask for approval',
      [
        ['For every transfer', 'every'],
        ['For new recipients', 'newRecipients'],
        ['Apply these rules to file requests too', 'requests'],
      ],
      ticked,
    ),
    textField('approvalDomains', 'Trusted domains', {
      value: domains.join('\n'),
      placeholder: 'example.com',
      hint: 'Recipients in any other domain need approval. One per line. Leave empty for no rule.',
      optional: true,
      multiline: true,
    }),
    textField('approvalRecipients', 'Maximum recipients without approval', {
      value: numberText(recipients),
      hint: 'Transfers to more recipients need approval. Leave empty for no rule.',
      optional: true,
      maxLength: 5,
    }),
    textField('approvalSize', 'Total size without approval (MB)', {
      value: numberText(bytes === undefined ? undefined : bytes / megabyte),
      hint: 'Larger transfers need approval. Leave empty for no rule.',
      optional: true,
      maxLength: 10,
    }),
    textField('approvalTypes', 'File types', {
      value: fileTypes.join(', '),
      placeholder: 'docx, zip',
      hint: 'Files with these extensions, or that look like these types, need approval. So do files whose extension is missing or unknown, or differs from the content. Leave empty for no rule.',
      optional: true,
    }),
    peopleField('approvalSenders', 'Trusted senders', senders, {
      hint: 'Everyone else needs approval. Leave empty for no rule.',
    }),
    peopleField('approvers', 'Approvers', approvers, { hint: 'Up to 20 people.' }),
    channelField('approverChannel', 'Or the members of a private channel', channel, {
      hint: `${inviteHint} Channels shared with other organisations can't be used.`,
      optional: true,
      isPrivate: true,
    }),
    textField('approvalWait', 'Days to wait for a decision', {
      value: String(waitDays),
      hint: "From 1 to 30. After that, the transfer isn't sent.",
      maxLength: 2,
    }),
  ];
}

/** The policy that an admin entered. Fields that Slack didn't send or that are invalid stay as they are. */
export function readApproval(filled: Filled, stored: ApprovalPolicy, errors: FieldErrors): ApprovalPolicy {
  const ifSent = <T>(name: string, read: () => T, storedValue: T): T => {
    const entered = filled.has(name) ? errors.check(() => ({ value: read() })) : undefined;
    return entered === undefined ? storedValue : entered.value;
  };
  const isTicked = (rule: string, isStored: boolean) =>
    ifSent('approvalRules', () => filled.choices('approvalRules').includes(rule), isStored);
  return {
    every: isTicked('every', stored.every),
    newRecipients: isTicked('newRecipients', stored.newRecipients),
    requests: isTicked('requests', stored.requests),
    domains: ifSent('approvalDomains', () => domainsIn(filled.text('approvalDomains')), stored.domains),
    recipients: ifSent('approvalRecipients', () => numberIn(filled, 'approvalRecipients'), stored.recipients),
    bytes: ifSent('approvalSize', () => bytesIn(filled), stored.bytes),
    fileTypes: ifSent('approvalTypes', () => typesIn(filled.text('approvalTypes')), stored.fileTypes),
    senders: ifSent('approvalSenders', () => filled.people('approvalSenders'), stored.senders),
    approvers: ifSent('approvers', () => filled.people('approvers'), stored.approvers),
    channel: ifSent('approverChannel', () => filled.channel('approverChannel'), stored.channel),
    waitDays: ifSent('approvalWait', () => waitIn(filled), stored.waitDays),
  };
}

const ruleFields = ['approvalDomains', 'approvalRecipients', 'approvalSize', 'approvalTypes'];

/** Whether an admin entered a rule, even if it is invalid. */
export const hasEnteredRules = (policy: ApprovalPolicy, errors: FieldErrors): boolean =>
  hasRules(policy) || ruleFields.some(errors.has);

function numberIn(filled: Filled, name: string): number | undefined {
  const text = filled.text(name);
  if (text === '') return undefined;
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  throw notAWholeNumber(name);
}

function bytesIn(filled: Filled): number | undefined {
  const megabytes = numberIn(filled, 'approvalSize');
  return megabytes === undefined ? undefined : megabytes * megabyte;
}

function waitIn(filled: Filled): number {
  const days = numberIn(filled, 'approvalWait') ?? 0;
  if (days >= 1 && days <= 30) return days;
  throw waitOutOfRange();
}

const wordsIn = (text: string) => [...new Set(text.toLowerCase().split(/[\s,;]+/))].filter((word) => word !== '');

function domainsIn(text: string): string[] {
  const domains = wordsIn(text).map((word) => word.replace(/^\*?[@.]/, ''));
  const wrong = domains.find((domain) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain));
  if (wrong === undefined) return domains;
  throw notADomain(wrong);
}

function typesIn(text: string): string[] {
  const types = wordsIn(text).map((word) => word.replace(/^\*?\./, ''));
  const wrong = types.find((type) => !/^[\p{L}\p{N}_-]{1,20}$/u.test(type));
  if (wrong === undefined) return types;
  throw notAnExtension(wrong);
}

/** The rules that saving would turn off. The admin must confirm this, because Slack can lose a value. */
export function removedRules(stored: ApprovalPolicy, next: ApprovalPolicy): string[] {
  const rules: [label: string, before: boolean, after: boolean][] = [
    ['every transfer', stored.every, next.every],
    ['new recipients', stored.newRecipients, next.newRecipients],
    ['file requests', stored.requests, next.requests],
    ['trusted domains', stored.domains.length > 0, next.domains.length > 0],
    ['number of recipients', stored.recipients !== undefined, next.recipients !== undefined],
    ['total size', stored.bytes !== undefined, next.bytes !== undefined],
    ['file types', stored.fileTypes.length > 0, next.fileTypes.length > 0],
    ['trusted senders', stored.senders.length > 0, next.senders.length > 0],
  ];
  return rules.flatMap(([label, before, after]) => (before && !after ? [label] : []));
}
