import { readMultipart } from '../http/multipart.ts';
import type { Staged } from '../state/file-store.ts';
import type { Account, InboxItem, NewInboxItem, StoredFile, UploadPage } from '../state/model.ts';
import { checkFileName, mediaType } from '../state/names.ts';
import { Refusal } from '../state/refusal.ts';
import { addToInbox, type World } from '../state/world.ts';

const defaultTtl = 7;

export async function seedInbox(
  world: World,
  account: Account,
  { sender, files, ttl = defaultTtl }: NewInboxItem,
): Promise<InboxItem> {
  const stored: StoredFile[] = [];
  for (const { name, data, type } of files) {
    const staged = await world.files.stage(once(Buffer.from(data)));
    await staged.keep();
    stored.push({ name: checkFileName(name), type: mediaType(type), bytes: staged.bytes, sha256: staged.sha256 });
  }
  return addToInbox(world, account, { sender, ttl, files: stored });
}

/** Stores the files of an upload form as one inbox item, or stores nothing. */
export async function receiveForm(
  world: World,
  account: Account,
  page: UploadPage,
  form: { body: AsyncIterable<Buffer>; contentType: string | undefined },
): Promise<InboxItem> {
  const received: { name: string; type: string; staged: Staged }[] = [];
  try {
    let remaining = world.behaviour.diskBytes;
    async function* limited(data: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of data) {
        remaining -= chunk.length;
        if (remaining < 0) throw new Refusal(413, 'these files are too large');
        yield chunk;
      }
    }
    for await (const part of readMultipart(form.body, form.contentType)) {
      if (part.name !== 'file' || part.fileName === undefined) throw new Refusal(400, 'unexpected form field');
      const staged = await world.files.stage(limited(part.data));
      // A browser sends an empty file field as an empty file without a name.
      if (part.fileName === '' && staged.bytes === 0) await staged.discard();
      else received.push({ name: part.fileName, type: mediaType(part.type), staged });
    }
    if (received.length === 0) throw new Refusal(400, 'choose at least one file');
    for (const { name } of received) checkFileName(name);
    for (const { staged } of received) await staged.keep();
  } catch (error) {
    for (const { staged } of received) await staged.discard();
    throw error;
  }
  const files = received.map(({ name, type, staged: { bytes, sha256 } }) => ({ name, type, bytes, sha256 }));
  return addToInbox(world, account, { sender: page.contact.email, ttl: page.ttl, files });
}

async function* once(data: Buffer): AsyncGenerator<Buffer> {
  yield data;
}
