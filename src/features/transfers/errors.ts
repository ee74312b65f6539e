import { bounds } from '../../bounds.ts';
import { DroplineError } from '../../errors.ts';

export const transferNotFound = () => new DroplineError('not-found', 'Transfer not found.');

export const buttonExpired = () => new DroplineError('not-found', 'This button has expired.');

export const stillActive = () => new DroplineError('invalid', "It's still in progress.");

export const filesGone = (names: readonly string[]) =>
  new DroplineError('not-found', `Nothing to send. No longer in Slack: ${names.join(', ')}.`, { names });

export const recipientsGone = (reasons: readonly string[]) =>
  new DroplineError('not-found', `No recipients left. ${reasons.join(' ')}`);

export const everythingArrived = () =>
  new DroplineError('used', 'Everything on the checklist has arrived. Type /drop request to ask for something else.');

export const tooManyPoints = (count: number) =>
  new DroplineError('invalid', `Too many points (${count}; limit ${bounds.points}).`, { field: 'points' });

export const pointTooLong = (start: string) =>
  new DroplineError('invalid', `Shorten “${start}…” to ${bounds.pointChars} characters.`, { field: 'points' });

export const requestEmpty = () => new DroplineError('invalid', 'Enter a message or a checklist.', { field: 'message' });

export const requestTooLong = () =>
  new DroplineError(
    'invalid',
    `Shorten the message: with the checklist, it has more than ${bounds.requestChars} characters.`,
    { field: 'message' },
  );

/** The job found that a transfer can no longer expire on the date that its sender chose. */
export const dateUnusable = (date: string, reason: 'passed' | 'too-soon' | 'unit-unknown') =>
  new DroplineError('expired', `${dateTexts[reason](date)} Nothing was sent.`);

const dateTexts = {
  passed: (date: string) => `The expiry date ${date} has passed.`,
  'too-soon': (date: string) => `The expiry date ${date} is now closer than the shortest expiry of the service.`,
  'unit-unknown': (date: string) =>
    `The expiry date ${date} can't be set any longer, because the workspace's expiry unit was changed to unknown.`,
};
