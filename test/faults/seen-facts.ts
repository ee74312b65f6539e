import type { Workspace } from '../../src/sandbox/slack/index.ts';
import { listInbox } from '../helpers/inbox.ts';
import type { ActionResult } from './action-context.ts';
import type { SeenFacts } from './check-seen.ts';
import type { Lane } from './lane.ts';
import type { PlannedChannels } from './plan-channels.ts';

type Known = Pick<SeenFacts, 'memberships' | 'sightings' | 'calmFrom' | 'lists'> & { results: readonly ActionResult[] };

/** Adds to what people saw what they could see: by the database and by their requests. */
export async function collectSeen(
  { services }: Lane,
  { id, name, channels }: Workspace,
  planned: PlannedChannels,
  { results, ...known }: Known,
): Promise<SeenFacts> {
  const items = await listInbox(services, { workspace: id, person: '' }, { limit: 1_000 });
  const owners = items.flatMap(({ files, belongsTo }) =>
    files.map((file) => [file, channels.find((one) => belongsTo.includes(one.id))?.name ?? belongsTo.join()] as const),
  );
  const moves = await services.store.audit.list(id, { action: 'move files', limit: 100 });
  const movedAt = moves.find(({ outcome }) => outcome === 'done')?.at.getTime();
  return {
    ...known,
    workspace: name,
    channels: planned,
    movedAt,
    requesters: requestersIn(results.filter(({ workspace }) => workspace === name)),
    owners: new Map(owners.filter(([file]) => /-ch\d-/.test(file))),
  };
}

/** The people who asked for an answer, by the beginning of its name. */
function requestersIn(results: readonly ActionResult[]): Map<string, string[]> {
  const requests = results.flatMap(({ action, person, progress }) =>
    action.kind === 'request' && progress !== 'not submitted' ? [{ ...action, person }] : [],
  );
  return new Map(
    requests.map(({ id, to: [first] }) => [
      `${id}-answer`,
      requests.filter(({ to }) => to.some(({ email }) => email === first?.email)).map(({ person }) => person),
    ]),
  );
}
