import type { AppSetup } from '../helpers/app.ts';

/** Adds an upload that Dropline has no record of to the account. */
export function addUnexpectedFile({ account }: AppSetup, name: string): void {
  account.uploads.push({ name, type: 'text/plain', bytes: 1, sha256: '' });
}
