import { onTestFinished } from 'vitest';
import { type PollerOptions, startPoller } from '../../../src/features/inbox/poll/poller.ts';
import type { TransferServices } from '../../../src/features/transfers/kind.ts';
import type { InboxSetup } from '../../helpers/inbox.ts';

export function startTestPoller(services: TransferServices, options: PollerOptions) {
  const started = startPoller(services, { tickMs: 10, ...options });
  onTestFinished(() => started.stop());
  return started;
}

export const makeDue = ({ store }: InboxSetup) => store.pool.query('update dropline.polls set next_at = now()');

export const countReads = ({ server }: InboxSetup) =>
  server.calls.filter(({ operation }) => operation === 'get_history').length;
