import { DroplineError } from '../../lib/errors.ts';

export class InfectedError extends DroplineError {
  readonly signature: string;

  constructor(name: string, signature: string) {
    super('infected', `Malware found in “${name}”: ${signature}.`, { names: [name] });
    this.signature = signature;
  }
}

export const notScannedError = (name: string, reason: string) =>
  new DroplineError('not-scanned', `“${name}” couldn't be scanned for malware, so it was blocked. ${reason}`, {
    names: [name],
  });

export const scansBusy = () =>
  new DroplineError('busy', 'Other downloads are being scanned for malware. Try again in a minute.');

const maxNames = 5;

export function tooLargeToScan(names: readonly string[], maxBytes: number): DroplineError {
  const shownNames = names.slice(0, maxNames).map((name) => `“${name}”`);
  const ellipsis = names.length > maxNames ? '…' : '';
  const limit = `${Math.floor(maxBytes / 1_000_000)} MB`;
  const message = `Too large to be scanned for malware (limit ${limit}): ${shownNames.join(', ')}${ellipsis}.`;
  return new DroplineError('not-scanned', message, { field: 'files', names });
}

export const downloadIncomplete = (name: string) =>
  new DroplineError('file-failed', `“${name}”: download incomplete.`, { names: [name] });
