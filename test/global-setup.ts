import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { ServerAddress } from './helpers/postgres-address.ts';
import { startServer } from './helpers/postgres-server.ts';
import { buildPrograms } from './helpers/programs-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: ServerAddress;
    /** Folder of the compiled project. */
    programs: string;
    /** Folder into which the packaged browser unpacks itself. */
    browserFolder: string;
    /** Whether this is the short tier, where the files of a worker share its modules, a bot and a database. */
    isShort: boolean;
  }
}

/** Creates once per tier what every test file needs: a Postgres server, the compiled programs, a browser folder. */
export default async function setUp({ provide, name }: TestProject): Promise<() => Promise<void>> {
  const browserFolder = await mkdtemp(join(tmpdir(), 'dropline-browser-'));
  const [server, programs] = await Promise.all([startServer(), buildPrograms()]);
  provide('postgres', server.address);
  process.env.COMPILED_SRC = join(programs.path, 'src');
  provide('programs', programs.path);
  provide('browserFolder', browserFolder);
  provide('isShort', name === 'short');
  return async () => {
    await server.stop();
    await programs.remove();
    await rm(browserFolder, { recursive: true, force: true });
  };
}
