import { bounds } from '../../lib/bounds.ts';
import { isDroplineError } from '../../lib/errors.ts';
import type { UpdateOptions } from '../../store/index.ts';
import type { Actor, Services, SourceFile } from '../common/services.ts';
import { expectAllowed } from '../settings/permission.ts';
import { expectFilesAllowed } from '../settings/policies/checks.ts';
import { tooManyFiles } from './errors.ts';
import { changeDraft, type Draft, readDraft } from './repository.ts';

/**
 * Stages files for the next transfer. They aren't uploaded yet: any other transfer of the account would send them.
 * `inSameTransaction` runs before the commit.
 */
export async function stageFiles(
  services: Services,
  actor: Actor,
  ids: readonly string[],
  files: Draft['files'] = [],
  inSameTransaction?: UpdateOptions['inSameTransaction'],
): Promise<string[]> {
  const { settings } = await expectAllowed(services, actor, 'send');
  expectFilesAllowed(settings, files);
  const stage = (draft: Draft) => {
    const stagedIds = [...new Set([...draft.staged, ...ids])];
    const others = draft.files.filter(({ id }) => !files.some((file) => file.id === id));
    if (stagedIds.length > bounds.filesStaged) throw tooManyFiles();
    const unticked = draft.unticked.filter((id) => !ids.includes(id));
    return { staged: stagedIds, unticked, files: [...others, ...files] };
  };
  const { staged } = await changeDraft(services, actor, stage, { inSameTransaction });
  return staged;
}

export async function unstageFiles(services: Services, actor: Actor, ids: readonly string[]): Promise<string[]> {
  await expectAllowed(services, actor, 'view');
  const { staged } = await changeDraft(services, actor, (draft) => ({
    staged: draft.staged.filter((id) => !ids.includes(id)),
  }));
  return staged;
}

export interface FileLookup {
  id: string;
  /** Undefined if the file is gone or can't be sent. */
  file: SourceFile | undefined;
  /** The name, if known, of a file that is gone or can't be sent. */
  name?: string;
  /** Why the file can't be sent. */
  problem?: string;
}

/**
 * Looks up each file separately, so that a file that can't be sent doesn't block the others. Slack allows about 100
 * calls a minute. If there are many files, forms show the stored data, and the review uses data up to a minute old.
 */
export function lookUpFiles(
  { sources }: Pick<Services, 'sources'>,
  workspace: string,
  ids: readonly string[],
  { files, isReview = false }: { files: Draft['files']; isReview?: boolean },
): Promise<FileLookup[]> {
  const isFew = ids.length <= bounds.filesLookedUp;
  return Promise.all(
    ids.map(async (id) => {
      const stored = files.find((file) => file.id === id);
      if (stored !== undefined && !isFew && !isReview) return { id, file: stored };
      try {
        const file = await sources.inspect(workspace, id, { isFresh: isReview && isFew, known: stored });
        return file === undefined ? { id, file, name: stored?.name } : { id, file };
      } catch (error) {
        if (!isDroplineError(error, 'invalid', 'busy')) throw error;
        // Some error messages already contain the name.
        const name = error.names.length === 0 ? stored?.name : undefined;
        return { id, file: undefined, name, problem: error.message };
      }
    }),
  );
}

export async function readStaged(services: Services, actor: Actor): Promise<(FileLookup & { isTicked: boolean })[]> {
  const draft = await readDraft(services, actor);
  const files = await lookUpFiles(services, actor.workspace, draft.staged, draft);
  return files.map((file) => ({ ...file, isTicked: !draft.unticked.includes(file.id) }));
}
