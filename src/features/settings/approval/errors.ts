import { bounds } from '../../../lib/bounds.ts';
import { DroplineError } from '../../../lib/errors.ts';
import { invalidSetting } from '../errors.ts';

export const approvalChanged = () =>
  new DroplineError('changed', 'Approval was changed by someone else. Open the settings again.');

export const tooManyApprovers = (count: number) =>
  invalidSetting('approvers', `Too many approvers (${count}; limit ${bounds.approvers}).`);

export const peopleAndChannel = () => invalidSetting('approvers', 'Choose people or a channel, not both.');

export const approversMissing = () =>
  invalidSetting('approvers', 'Choose who can approve: people, or a channel below.');

export const outsidersSelected = () =>
  invalidSetting(
    'approvers',
    "Guests, bots and people from other organisations can't use Dropline. Remove them from this list.",
  );

export const waitOutOfRange = () => invalidSetting('approvalWait', 'Enter a number from 1 to 30.');

export const notADomain = (text: string) =>
  invalidSetting('approvalDomains', `“${text}” isn't a valid domain, like example.com.`);

export const notAnExtension = (text: string) =>
  invalidSetting('approvalTypes', `“${text}” isn't a file extension, like pdf.`);
