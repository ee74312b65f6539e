import { DroplineError } from '../../lib/errors.ts';
import { pausedText, pauseNames } from './fields.ts';
import type { Pause, PauseTarget } from './repository.ts';

export const paused = (target: PauseTarget, pause: Pick<Pause, 'reason'>) =>
  new DroplineError('paused', pausedText(target, pause));

export const alreadyPaused = (target: PauseTarget) =>
  new DroplineError('exists', `${pauseNames[target]}: already paused. To change the reason, resume first.`, {
    field: 'reason',
  });

export const reasonMissing = () => new DroplineError('invalid', 'Enter a reason.', { field: 'reason' });

export const reasonTooLong = (max: number) =>
  new DroplineError('invalid', `Too long (limit ${max} characters).`, { field: 'reason' });

export const unknownTarget = () => new DroplineError('not-found', 'This button has expired.');
