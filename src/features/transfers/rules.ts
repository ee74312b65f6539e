import { bounds } from '../../bounds.ts';
import { DroplineError } from '../../errors.ts';
import type { Settings } from '../settings/settings.ts';

/** If an admin has listed domains, rejects recipients in any other. */
export function expectRecipientsAllowed({ receiverDomains }: Settings, receivers: readonly { email: string }[]): void {
  if (receiverDomains.length === 0) return;
  const allowed = new Set(receiverDomains.map((domain) => domain.toLowerCase()));
  const names = receivers
    .map(({ email }) => email)
    .filter((email) => !allowed.has(email.toLowerCase().split('@').at(-1) ?? ''));
  if (names.length === 0) return;
  const message = `This workspace only allows sending to ${receiverDomains.join(', ')}, not to ${names.join(', ')}.`;
  throw new DroplineError('not-allowed', message, { field: 'receivers', names });
}

/** Limits recipients and files to what fits into a review: people must see everything that they confirm. */
export function expectReviewable(receivers: readonly unknown[], files: readonly unknown[] = []): void {
  const parts = 'Send in batches.';
  if (receivers.length > bounds.recipients) {
    const message = `Too many recipients (${receivers.length}; limit ${bounds.recipients}). ${parts}`;
    throw new DroplineError('invalid', message, { field: 'receivers' });
  }
  if (files.length > bounds.files) {
    const message = `Too many files (${files.length}; limit ${bounds.files}). ${parts}`;
    throw new DroplineError('invalid', message, { field: 'files' });
  }
}

export function expectTimeAllowed({ ttl }: Settings, timeToLive: number): void {
  if (!Number.isFinite(timeToLive) || timeToLive < 0) {
    throw new DroplineError('invalid', 'Enter a whole number of 1 or more.', { field: 'timeToLive' });
  }
  if (ttl.longest === undefined || timeToLive <= ttl.longest) return;
  const unit = ttl.unit === 'own' ? '' : ` ${ttl.unit}`;
  throw new DroplineError('invalid', `The maximum in this workspace is ${ttl.longest}${unit}.`, {
    field: 'timeToLive',
  });
}
