import { onTestFinished } from 'vitest';
import type { Services } from '../../../src/features/common/services.ts';
import { type PollerOptions, startPoller } from '../../../src/features/inbox/poll/poller.ts';

export function startTestPoller(services: Services, options: PollerOptions) {
  const started = startPoller(services, { tickMs: 10, ...options });
  onTestFinished(() => started.stop());
  return started;
}
