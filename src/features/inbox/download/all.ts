import { bounds } from '../../../lib/bounds.ts';
import { isDroplineError } from '../../../lib/errors.ts';
import type { Interaction } from '../../../slack/interaction.ts';
import { connectionOf } from '../../common/connection.ts';
import { downloadIdOf, fileIdOf, itemIdOf } from '../../common/ids.ts';
import type { Actor, InboxItem } from '../../common/services.ts';
import type { SlackServices } from '../../common/ui-services.ts';
import { expectAllowed } from '../../settings/permission.ts';
import { hasDownloaded, isDownloadable } from '../items/entries.ts';
import { fileGone } from '../items/errors.ts';
import { itemsIn } from '../items/repository.ts';
import { filesOf } from '../items/views.ts';
import { infectionOf } from './operations.ts';
import { askForFile, type DownloadAnswer } from './order.ts';
import { addToBatch, endInBatch } from './repository.ts';

export interface BatchAnswer {
  answers: DownloadAnswer[];
  /** Files that one click doesn't order, because there are too many. */
  remaining: number;
  infected: number;
  /** The batch's id; undefined if the click was in a post or ordered no files. */
  batch: string | undefined;
}

/** Where the person clicked: in a post, or in a modal. */
type Clicked = Pick<Interaction, 'message' | 'view'>;

/**
 * Orders the files of these items that the person hasn't downloaded yet, each like a single click on Download. So a
 * second click doesn't order files that have arrived.
 */
export async function askForAll(
  services: SlackServices,
  actor: Actor,
  items: readonly string[],
  { message: post, view }: Clicked,
): Promise<BatchAnswer> {
  await expectAllowed(services, actor, 'download');
  const { files, infected } = await newFiles(services, actor, items);
  const ordered = files.slice(0, bounds.downloadsAtOnce);
  // The batch of a modal: a second click there adds to it, so that the modal waits for the files of both.
  const id = ordered.length === 0 ? undefined : view?.id;
  const { workspace, person } = actor;
  const downloadOf = ({ item, name }: ListedFile) => downloadIdOf(person, item.url, name);
  if (id !== undefined) await addToBatch(services.store, { workspace, id }, ordered.map(downloadOf));
  const answers: DownloadAnswer[] = [];
  for (const file of ordered) {
    const requested = { item: itemIdOf(file.item.url), file: fileIdOf(file.name), post, batch: id };
    const answer = await askForFile(services, actor, requested).catch((error: unknown) => {
      // The file has just expired, or malware was found in it.
      if (!isDroplineError(error, 'not-found', 'infected')) throw error;
      return undefined;
    });
    if (answer !== undefined) answers.push(answer);
    if (id !== undefined && (answer === undefined || 'link' in answer))
      await endInBatch(services.store, { workspace, id }, downloadOf(file), answer !== undefined);
  }
  if (ordered.length > 0 && answers.length === 0) throw fileGone();
  return { answers, remaining: files.length - ordered.length, infected, batch: id };
}

interface ListedFile {
  item: InboxItem;
  name: string;
}

/** The files that this person hasn't downloaded yet. Leaves out infected ones, which only an admin can get. */
async function newFiles(services: SlackServices, { workspace, person }: Actor, ids: readonly string[]) {
  const { account } = (await connectionOf(services, workspace)).exchange;
  const repository = itemsIn(services.store, workspace, account);
  const stored = await Promise.all([...new Set(ids)].map((id) => repository.findById(id)));
  const items = stored.flatMap((known) => (known === undefined || known.isGone ? [] : [known]));
  if (items.length === 0) throw fileGone();
  const isNew = ({ item, name }: ListedFile) => !hasDownloaded(item, person, name);
  const listedFiles = items.flatMap((item) => filesOf(item).map((name) => ({ item, name })));
  const files = listedFiles.filter((file) => isDownloadable(file.name) && isNew(file));
  const clean = files.filter(({ item, name }) => infectionOf(item, name) === undefined);
  return { files: clean, infected: files.length - clean.length };
}
