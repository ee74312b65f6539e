import type { ActionResult } from './action-context.ts';
import type { KnownPause } from './actions-pause.ts';
import type { Lane } from './lane.ts';

/** No transfer was committed and no download accepted during a pause that its admin saw confirmed. */
export async function checkPauses(
  { services }: Lane,
  pauses: readonly KnownPause[],
  results: readonly ActionResult[],
): Promise<string[]> {
  const found = pauses.map(async ({ workspace, target, from, until }) => {
    if (target === 'downloads') return [];
    const { rows } = await services.store.pool.query<{ id: string }>(
      `select id from dropline.transfers where workspace = $1 and kind = $4
         and committed_at > to_timestamp($2 / 1000.0) and committed_at < to_timestamp($3 / 1000.0)`,
      [workspace, from, until, target === 'sending' ? 'send' : 'request'],
    );
    return rows.map(({ id }) => `transfer ${id} was committed during a pause`);
  });
  return [...(await Promise.all(found)).flat(), ...checkPausedDownloads(pauses, results)];
}

/**
 * A click on Download must be refused if click and answer are within a pause. A download that was accepted before can
 * go on. If a person clicked for the same file twice, the answer can belong to the other click.
 */
export function checkPausedDownloads(pauses: readonly KnownPause[], results: readonly ActionResult[]): string[] {
  const isOnlyClick = ({ workspace, person, action }: ActionResult) =>
    results.filter(
      (other) =>
        other.workspace === workspace &&
        other.person === person &&
        other.action.kind === 'fetch' &&
        action.kind === 'fetch' &&
        (other.action.file === action.file || other.action.isAll === true || action.isAll === true),
    ).length === 1;
  return results.flatMap((result) => {
    const { accepted, workspace, action } = result;
    const isPaused = pauses.some(
      ({ target, workspaceName, from, until }) =>
        target === 'downloads' &&
        workspaceName === workspace &&
        accepted !== undefined &&
        from < accepted.clickedAt &&
        accepted.answeredAt < until,
    );
    return isPaused && isOnlyClick(result) ? [`${action.id}: a download was accepted during a pause`] : [];
  });
}
