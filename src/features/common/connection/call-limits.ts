import { bounds } from '../../../bounds.ts';
import { createLimiter, type Limiter } from '../../../limiter.ts';
import type { Store } from '../../../store/index.ts';
import type { Services } from '../services.ts';

const limiterByStore = new WeakMap<Store, Limiter>();

/** Services for code that answers people. Calls to the service above the limit of a workspace wait. */
export function withCallLimits<T extends Services>(services: T): T {
  const { store } = services;
  const limiter = limiterByStore.get(store) ?? createLimiter(bounds.callsPerWorkspace);
  limiterByStore.set(store, limiter);
  return { ...services, callLimitOf: (workspace) => (work, signal) => limiter.run(workspace, work, signal) };
}
