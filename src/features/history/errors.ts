import { DroplineError } from '../../lib/errors.ts';

export const transferNotFound = () => new DroplineError('not-found', "Transfer not found in the service's history.");
