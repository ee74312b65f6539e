import { DroplineError } from '../../../lib/errors.ts';

export const groupNotFound = () => new DroplineError('not-found', 'Group not found. Empty groups are deleted.');
