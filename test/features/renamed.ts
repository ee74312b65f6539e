import { setUpFeatures } from '../helpers/features.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

/** A service that renames the files it stores and keeps them after sending. */
export async function renaming(postgres: TestPostgres) {
  const behaviour = { uploadNames: 'changed', uploadsAfterDispatch: 'kept' } as const;
  const setup = await setUpFeatures(postgres, { server: { behaviour } });
  setup.shelf.put('F1', 'the plan.pdf', 'the plan');
  setup.shelf.put('F2', 'the map.png', 'the map');
  await setup.work();
  return setup;
}
