import { bounds } from '../../../bounds.ts';
import { createLimiter, type Limiter } from '../../../limiter.ts';
import type { Store } from '../../../store/index.ts';
import type { Services } from '../services.ts';

const limiterBy = new WeakMap<Store, Limiter>();

/** Services for code that answers people. Limits each workspace's concurrent calls to the service; more calls wait. */
export function inTurn<T extends Services>(services: T): T {
  const { store } = services;
  const limiter = limiterBy.get(store) ?? createLimiter(bounds.callsPerWorkspace);
  limiterBy.set(store, limiter);
  return { ...services, turnOf: (workspace) => (work, signal) => limiter.run(workspace, work, signal) };
}
