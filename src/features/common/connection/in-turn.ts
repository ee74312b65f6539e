import { bounds } from '../../../bounds.ts';
import { createLines, type Lines } from '../../../lines.ts';
import type { Store } from '../../../store/index.ts';
import type { Services } from '../services.ts';

const linesBy = new WeakMap<Store, Lines>();

/** Services for code that answers people: limits each workspace's concurrent calls to the service; the rest wait. */
export function inTurn<T extends Services>(services: T): T {
  const { store } = services;
  const lines = linesBy.get(store) ?? createLines(bounds.callsOfWorkspace);
  linesBy.set(store, lines);
  return { ...services, turnOf: (workspace) => (work, signal) => lines.run(workspace, work, signal) };
}
