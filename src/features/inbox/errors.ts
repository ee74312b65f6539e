import { DroplineError } from '../../errors.ts';

export const takeAndDoneOff = () => new DroplineError('switched-off', 'Take and Done are turned off for this channel.');

export const filesInfected = () =>
  new DroplineError(
    'infected',
    "Malware was found in these files, so there's nothing to take. You can mark them as done.",
  );
