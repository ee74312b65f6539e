import { bounds } from '../../lib/bounds.ts';
import { DroplineError } from '../../lib/errors.ts';

export const transferNotFound = () => new DroplineError('not-found', 'Transfer not found.');

export const buttonExpired = () => new DroplineError('not-found', 'This button has expired.');

export const invalidField = (field: string, message: string) => new DroplineError('invalid', message, { field });

export const stillActive = () => new DroplineError('invalid', "It's still in progress.");

export const filesGone = (names: readonly string[]) =>
  new DroplineError('not-found', `Nothing to send. No longer in Slack: ${names.join(', ')}.`, { names });

/** A retry of a transfer has its own card. */
export const alreadyRetried = () => new DroplineError('used', 'This was already tried again. See its newer card.');

// Why a transfer can't be planned.

export const plannedTooEarly = () =>
  invalidField('plannedFor', 'Choose a time in the future, or clear it to send now.');

export const plannedTooLate = () => invalidField('plannedFor', `Choose a time in the next ${bounds.plannedDays} days.`);

export const tooManyPlanned = () =>
  invalidField('plannedFor', `You have ${bounds.plannedPerPerson} planned transfers. Cancel one first.`);

export const attachedTooLong = (names: readonly string[]) =>
  invalidField(
    'plannedFor',
    `Slack might not keep attached files for more than a day: ${names.join(', ')}. Choose an earlier time, or send them to me in a direct message first.`,
  );

export const plannedAfterExpiry = () => invalidField('plannedFor', 'It would have expired by then.');

export const tooLateToUndo = () =>
  new DroplineError('too-late', 'Too late to undo: it has started. You can still cancel it on its card.');

export const tooLateToCancel = () => new DroplineError('too-late', 'Too late to cancel.');

// Why a review is refused.

export const recipientsNotAllowed = (names: readonly string[], domains: readonly string[]) =>
  new DroplineError(
    'not-allowed',
    `This workspace only allows sending to ${domains.join(', ')}, not to ${names.join(', ')}.`,
    { field: 'recipients', names },
  );

export const recipientsMissing = (noun: 'recipient' | 'contact') =>
  invalidField('recipients', `Choose at least one ${noun}.`);

export const tooMany = (field: string, noun: string, count: number, max: number) =>
  invalidField(field, `Too many ${noun} (${count}; limit ${max}). Send in batches.`);

/**
 * @param largest the contact with the most data. Fields that Dropline doesn't know count, because they are sent too.
 */
export const recipientsTooLarge = (largest: string) =>
  new DroplineError(
    'invalid',
    `The service stores too much about these contacts for one transfer, most of it about ${largest}. Leave out that contact or choose fewer.`,
    { field: 'recipients', names: [largest] },
  );

/** @param longest with its unit, if that is known */
export const expiryTooLong = (longest: string) =>
  invalidField('expiresAfter', `The maximum in this workspace is ${longest}.`);

export const recipientsGone = (reasons: readonly string[]) =>
  new DroplineError('not-found', `No recipients left. ${reasons.join(' ')}`);

export const everythingArrived = () =>
  new DroplineError('used', 'Everything on the checklist has arrived. Type /drop request to ask for something else.');

export const tooManyPoints = (count: number) =>
  new DroplineError('invalid', `Too many points (${count}; limit ${bounds.points}).`, { field: 'points' });

export const pointTooLong = (start: string) =>
  new DroplineError('invalid', `Shorten “${start}…” to ${bounds.pointChars} characters.`, { field: 'points' });

export const requestTooLong = () =>
  new DroplineError(
    'invalid',
    `Shorten the message: with the checklist, it has more than ${bounds.requestChars} characters.`,
    { field: 'message' },
  );

// Why the job ends a transfer.

export const cancelled = () => new DroplineError('cancelled', 'Cancelled. Nothing was sent.');

export const workspaceRemoved = () => new DroplineError('not-connected', 'The workspace was removed.');

export const recipientsChanged = (names: readonly string[]) =>
  new DroplineError('changed', `Changed or removed since you confirmed: ${names.join(', ')}. Nothing was sent.`, {
    names,
  });

export const fileChanged = (name: string, isGone = false) =>
  new DroplineError(
    'changed',
    `“${name}” ${isGone ? 'is gone' : 'was changed'} since you confirmed. Nothing was sent. ${isGone ? 'Send it to me again' : 'Check the file, then try again'}.`,
    { names: [name] },
  );

export const fileRefused = (name: string, cause: DroplineError) =>
  new DroplineError(
    'file-failed',
    `${cause.names.includes(name) ? '' : `“${name}”: `}${cause.message} Nothing was sent.`,
    { names: [name], cause },
  );

export const onHold = (reason: 'difference' | 'unknown') => new DroplineError('held', holdTexts[reason]);

const holdTexts = {
  difference:
    'Sending is on hold: something unconfirmed was sent from this account. An admin can review it in /drop status.',
  unknown: "Sending is on hold: an earlier transfer's delivery is unconfirmed. An admin can review it in /drop status.",
};

/** The job found that a transfer can no longer expire on the date that its sender chose. */
export const dateUnusable = (date: string, reason: 'passed' | 'too-soon' | 'unit-unknown') =>
  new DroplineError('expired', `${dateTexts[reason](date)} Nothing was sent.`);

const dateTexts = {
  passed: (date: string) => `The expiry date ${date} has passed.`,
  'too-soon': (date: string) => `The expiry date ${date} is now closer than the shortest expiry of the service.`,
  'unit-unknown': (date: string) =>
    `The expiry date ${date} can't be set any longer, because the workspace's expiry unit was changed to unknown.`,
};
