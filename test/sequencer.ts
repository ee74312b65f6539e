import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Folders whose files run first, because they take longest, and last, because they share bots and databases. The fault
 * seed mostly waits, so it runs beside the browser, which doesn't.
 */
const first = ['faults', 'setup', 'browser'];
const last = ['features', 'hostile', 'stories'];

/** Files of the deep tier that take minutes. They run first, so that none of them delays the end. */
const longest = ['contacts/many-edits', 'faults/faults', 'stories/inbox-rate-limits', 'stories/inbox-kill'];

/**
 * In the short tier, keeps the files of each listed folder together, because a shared bot polls even while no file uses
 * it. In the deep tier, runs the longest files first.
 */
export class FolderSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ project, moduleId }: TestSpecification): number {
  if (project.config.isolate) return longest.some((name) => moduleId.endsWith(`${name}.deep.test.ts`)) ? -1 : 0;
  const folder = /\/test\/([^/]+)\//.exec(moduleId)?.[1] ?? '';
  return first.includes(folder) ? first.indexOf(folder) - first.length : last.indexOf(folder) + 1;
}
