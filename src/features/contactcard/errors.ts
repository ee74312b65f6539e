import { DroplineError } from '../../errors.ts';

export const contactGone = () =>
  new DroplineError('not-found', 'Contact not found. It was removed, or its email has changed.');
