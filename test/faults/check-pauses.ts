import type { KnownPause } from './actions-pause.ts';
import type { Lane } from './lane.ts';

/** Nothing was committed while an admin knew that sending was paused. */
export async function checkPauses({ services }: Lane, pauses: readonly KnownPause[]): Promise<string[]> {
  const found = pauses.map(async ({ workspace, from, until }) => {
    const { rows } = await services.store.pool.query<{ id: string }>(
      `select id from dropline.dispatches where workspace = $1 and kind = 'dispatch'
         and committed_at > to_timestamp($2 / 1000.0) and committed_at < to_timestamp($3 / 1000.0)`,
      [workspace, from, until],
    );
    return rows.map(({ id }) => `transfer ${id} was committed during a pause`);
  });
  return (await Promise.all(found)).flat();
}
