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
  const message = `In this workspace files may only be sent to ${receiverDomains.join(', ')}, not to ${names.join(', ')}.`;
  throw new DroplineError('not-allowed', message, { field: 'receivers', names });
}

/** Limits recipients and files to what fits into a review: people must see everything that they confirm. */
export function expectReviewable(receivers: readonly unknown[], files: readonly unknown[] = []): void {
  const parts = 'You confirm only what you have seen: please do it in parts.';
  if (receivers.length > bounds.recipients) {
    const message = `These are ${receivers.length} people, and ${bounds.recipients} at most are shown at once. ${parts}`;
    throw new DroplineError('invalid', message, { field: 'receivers' });
  }
  if (files.length > bounds.files) {
    const message = `These are ${files.length} files, and ${bounds.files} at most are shown at once. ${parts}`;
    throw new DroplineError('invalid', message, { field: 'files' });
  }
}

export function expectTimeAllowed({ ttl }: Settings, timeToLive: number): void {
  if (!Number.isFinite(timeToLive) || timeToLive < 0) {
    throw new DroplineError('invalid', 'The time to live must be a number from 0 up.', { field: 'timeToLive' });
  }
  if (ttl.longest === undefined || timeToLive <= ttl.longest) return;
  const unit = ttl.unit === 'own' ? '' : ` ${ttl.unit}`;
  throw new DroplineError('invalid', `The time to live may be ${ttl.longest}${unit} at most in this workspace.`, {
    field: 'timeToLive',
  });
}
