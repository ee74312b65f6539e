import { setUpFeatures } from '../helpers/features.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

export const draft = { files: ['F1', 'F2'], recipients: ['carl@example.org'], message: 'Hi' };

/** Sets up a service that renames the files it stores and keeps them after sending. */
export async function setUpRenaming(postgres: TestPostgres) {
  const behaviour = { uploadNames: 'changed', uploadsAfterDispatch: 'kept' } as const;
  const setup = await setUpFeatures(postgres, { server: { behaviour } });
  setup.sourceFiles.put('F1', 'the plan.pdf', 'the plan');
  setup.sourceFiles.put('F2', 'the map.png', 'the map');
  await setup.startWorker();
  return setup;
}
