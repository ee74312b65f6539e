import type { Workspace } from '../../src/sandbox/slack/index.ts';
import type { Lane } from './lane.ts';

/** Verifies the audit chains of these workspaces. Each has entries by now. */
export async function checkChains({ services }: Lane, workspaces: readonly Workspace[]): Promise<string[]> {
  const violations: string[] = [];
  const { chains } = services.store;
  // A bot can be chaining some of the entries at this moment, and others could have been recorded just now.
  while ((await chains.extend()) > 0);
  const missing = new Map(workspaces.map(({ id, name }) => [id, name]));
  for await (const { workspace, ends, problems } of chains.verify()) {
    const name = missing.get(workspace);
    if (name === undefined) continue;
    if (ends.head.number > 0) missing.delete(workspace);
    violations.push(...problems.map((problem) => `${name}: ${problem} of the audit`));
  }
  return [...violations, ...[...missing.values()].map((name) => `${name}: the audit has no chain`)];
}
