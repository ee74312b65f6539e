import { bounds } from '../../bounds.ts';
import { DroplineError } from '../../errors.ts';
import type { Settings } from '../settings/settings.ts';

/** If an admin has listed domains, files can only go to those. */
export function expectRecipientsAllowed({ receiverDomains }: Settings, receivers: readonly { email: string }[]): void {
  if (receiverDomains.length === 0) return;
  const allowed = new Set(receiverDomains.map((domain) => domain.toLowerCase()));
  const names = receivers
    .map(({ email }) => email)
    .filter((email) => !allowed.has(email.toLowerCase().split('@').at(-1) ?? ''));
  if (names.length === 0) return;
  const sentence = `In this workspace files may only be sent to ${receiverDomains.join(', ')}, not to ${names.join(', ')}.`;
  throw new DroplineError('not-allowed', sentence, { field: 'receivers', names });
}

/** The person who confirms sees every recipient and file by name. More than these can't be reviewed, and don't fit. */
export function expectSurveyable(receivers: readonly unknown[], files: readonly unknown[] = []): void {
  const parts = 'You confirm only what you have seen: please do it in parts.';
  if (receivers.length > bounds.recipients) {
    const sentence = `These are ${receivers.length} people, and ${bounds.recipients} at most are shown at once. ${parts}`;
    throw new DroplineError('invalid', sentence, { field: 'receivers' });
  }
  if (files.length > bounds.files) {
    const sentence = `These are ${files.length} files, and ${bounds.files} at most are shown at once. ${parts}`;
    throw new DroplineError('invalid', sentence, { field: 'files' });
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
