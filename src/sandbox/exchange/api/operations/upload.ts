import type { Answer } from '../../http/answer.ts';
import { fieldText, readMultipart } from '../../http/multipart.ts';
import type { Staged } from '../../state/file-store.ts';
import type { Account, StoredFile } from '../../state/model.ts';
import { checkFileName, mediaType, uniqueName } from '../../state/names.ts';
import { Refusal } from '../../state/refusal.ts';
import type { World } from '../../state/world.ts';
import { statusReply } from '../replies.ts';
import type { ApiRequest } from '../request.ts';

/** Bytes of uploads in progress, which count towards the disk limit too. */
const bytesInProgress = new WeakMap<Account, number>();

export async function upload({ world, account, headers, body }: ApiRequest): Promise<Answer> {
  const quota = new DiskQuota(world, account);
  let staged: Staged | undefined;
  try {
    let action: string | undefined;
    let head: { name: string; type: string } | undefined;
    for await (const part of readMultipart(body, headers['content-type'])) {
      if (part.name === 'do' && part.fileName === undefined && action === undefined) {
        action = await fieldText(part);
      } else if (part.name === 'file' && part.fileName !== undefined && !staged) {
        head = { name: checkFileName(part.fileName), type: mediaType(part.type) };
        staged = await world.files.stage(quota.limit(part.data));
      } else {
        throw new Refusal(400, `the field "${part.name}" is not expected, or not twice, or not in this form`);
      }
    }
    if (action !== 'upload') throw new Refusal(400, 'the field "do" must be "upload"');
    if (!staged || !head) throw new Refusal(400, 'the field "file" is needed');
    // Only now is the body known to be complete. An interrupted upload stores nothing.
    await staged.keep();
    await store(world, account, { ...head, bytes: staged.bytes, sha256: staged.sha256 });
    return { ...statusReply('done', world.behaviour), framing: 'chunked' };
  } catch (error) {
    await staged?.discard();
    throw error;
  } finally {
    quota.release();
  }
}

async function store(world: World, account: Account, file: StoredFile): Promise<void> {
  if (world.behaviour.uploadNames === 'changed') {
    account.uploads.push({ ...file, name: uniqueName(file.name.replaceAll(' ', '_'), account.uploads) });
    return;
  }
  const existing = account.uploads.findIndex((other) => other.name === file.name);
  if (existing < 0) {
    account.uploads.push(file);
    return;
  }
  const [replaced] = account.uploads.splice(existing, 1, file);
  if (replaced) await world.files.release(replaced.sha256);
}

/** Passes an upload through until the account's disk space is used up. */
class DiskQuota {
  #world: World;
  #account: Account;
  #bytes = 0;

  constructor(world: World, account: Account) {
    this.#world = world;
    this.#account = account;
  }

  async *limit(data: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of data) {
      this.#add(chunk.length);
      const stored = this.#account.uploads.reduce((sum, file) => sum + file.bytes, 0);
      if (stored + (bytesInProgress.get(this.#account) ?? 0) > this.#world.behaviour.diskBytes) throw diskFull();
      yield chunk;
    }
  }

  release(): void {
    this.#add(-this.#bytes);
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    bytesInProgress.set(this.#account, (bytesInProgress.get(this.#account) ?? 0) + bytes);
  }
}

export function diskFull(): Refusal {
  return new Refusal(507, 'there is no room left for this file');
}
