import { DroplineError } from '../../lib/errors.ts';
import { wholeNumberText } from './table/constructors.ts';

/** The error for a value that can't be saved. The message says what to enter instead. */
export const invalidSetting = (field: string, message: string) => new DroplineError('invalid', message, { field });

export const settingChanged = (field: string, title: string) =>
  new DroplineError('changed', `${title} was changed by someone else. Open the settings again.`, { field });

export const notAWholeNumber = (field: string) => invalidSetting(field, wholeNumberText);

export const draftExpired = () =>
  new DroplineError('not-found', 'This page has expired, and nothing was saved. Open the settings again.');

// Approval.

export const approversMissing = () =>
  invalidSetting('approvers', 'Choose who can approve first, under “Change approvers”: people, or a private channel.');

export const ownTransfer = () =>
  new DroplineError('not-allowed', "You can't approve your own transfer. Another approver has to.");

export const notAnApprover = () =>
  new DroplineError('not-allowed', "You can't approve transfers in this workspace. An admin can allow it.");

// Inbox channels.

/** @param channel the name of the channel it belongs to */
export const senderTaken = (sender: string, channel = 'another inbox channel') =>
  invalidSetting('senders', `${sender} belongs to ${channel}. Remove it there first.`);

/** @param channel the name of the channel that has it */
export const everythingElseTaken = (channel = 'another inbox channel') =>
  invalidSetting('everythingElse', `Everything else is posted in ${channel}. Change that channel first.`);

/** @param channel its name */
export const channelListed = (channel = 'This channel') =>
  invalidSetting('channel', `${channel} is an inbox channel already. Change it in the list.`);

export const sourceMissing = () => invalidSetting('senders', 'Enter a sender, or choose “Everything else” below.');

export const alreadyRemoved = () =>
  new DroplineError('not-found', 'The settings no longer name this person. Open the settings again.');

export const lastTrustedSender = () =>
  invalidSetting(
    'approvalSenders',
    'This is the only trusted sender. First choose another one, or turn that rule off, under “Change approval rules”.',
  );

// Permissions.

/** Slack's failure is temporary, so jobs try again. */
export class MembersUnknownError extends DroplineError {}

export const membersUnknown = (cause?: unknown) =>
  new MembersUnknownError('busy', "Slack didn't say who is in the channel. Try again.", { cause });

export const outsidersRefused = () =>
  new DroplineError('not-allowed', "Guests, bots and people from other organisations can't use Dropline here.");

/** @param action what the person wanted to do, like “send files” */
export const notAllowed = (action: string) =>
  new DroplineError('not-allowed', `You can't ${action} in this workspace. An admin can allow it in the settings.`);

export const onlyForAdmins = () => new DroplineError('not-allowed', 'Only admins can do this.');

export const deskNeedsChannel = () =>
  new DroplineError('invalid', 'A desk needs a channel for everything else. Choose another one instead.');

export const onlyForAuditors = () => new DroplineError('not-allowed', 'Only admins and auditors can do this.');

export const onlyForWorkspaceAdmins = () =>
  new DroplineError('not-allowed', 'Only admins and owners in Slack can disconnect this workspace.');

export function outsidersSelected(field: string, names: readonly string[], omitted: number): DroplineError {
  const others = omitted > 0 ? ` and ${omitted} more` : '';
  const reason = "can't use Dropline: guests, bots and people from other organisations have no access.";
  return invalidSetting(field, `${names.join(', ')}${others} ${reason} Remove them from this list.`);
}

export const noPersonSelected = (field: string) =>
  invalidSetting(field, 'Select a person here or a channel below, or choose “Admins only” above.');

export const peopleNotUsed = (field: string) =>
  invalidSetting(field, 'Choose “Admins and selected people or channels” above, or clear this list.');

/** For people who belong to none of several desks, or not to this one. Says nothing about it. */
export const notOnDesk = () =>
  new DroplineError('not-allowed', "You don't have access to these files or contacts. Ask a workspace admin.");

export const fromChanged = () =>
  new DroplineError('changed', 'The form was still loading. Try again.', { field: 'from' });

// Expiry.

export const dateTooEarly = (field: string, text: string) =>
  invalidSetting(field, `${text} is too early or isn't a date. Choose a later date.`);

export const defaultTooLong = () => invalidSetting('expiryDefault', 'The default expiry is longer than the maximum.');

// Channels and delivery.

/** @param channel its name with #; undefined if it isn't known */
export const channelSharedOutside = (field: string, channel = 'This channel') =>
  invalidSetting(field, `${channel} is shared with another organisation. Choose another channel.`);

export const channelArchived = (field: string, channel = 'This channel') =>
  invalidSetting(field, `${channel} is archived. Choose another channel.`);

export const channelPublic = (field: string, channel = 'This channel') =>
  invalidSetting(field, `${channel} is public, so anyone could join it. Choose a private channel.`);

export const botNotInChannel = (field: string, channel = 'this channel') =>
  invalidSetting(field, `I'm not in ${channel}. Type /invite @dropline there, then try again.`);

export const linksUnavailable = () =>
  invalidSetting('delivery', "Links aren't available, because Dropline has no public address.");

export const extensionMissing = () =>
  new DroplineError('invalid', 'Enter at least one extension, or allow any file type.', { field: 'extensions' });

export const extensionsUnused = () =>
  new DroplineError('invalid', 'Choose “Only these” or “All except these”, or empty this field.', {
    field: 'extensions',
  });
