import { randomUUID } from 'node:crypto';
import type { Answer } from '../../http/answer.ts';
import { readJson } from '../../http/request-body.ts';
import type { Account, Drop } from '../../state/model.ts';
import { Refusal } from '../../state/refusal.ts';
import { dispatchParameters } from '../../state/shapes.ts';
import { expiry, publish, type World } from '../../state/world.ts';
import { statusReply } from '../replies.ts';
import type { ApiRequest } from '../request.ts';

/** Sends all uploads to all receivers, with one page per receiver. */
export async function createDrop({ world, account, headers, body }: ApiRequest): Promise<Answer> {
  const { desttime, ddmessage } = dispatchParameters(await readJson(body, headers['content-type']));
  if (account.receivers.length === 0) throw new Refusal(409, 'no receivers are set');
  if (!account.filesInitialised) throw new Refusal(409, 'get_files.cgi has not been called');
  if (account.uploads.length === 0) throw new Refusal(409, 'no files are uploaded');

  const drop = newDrop(world, account, 'downloadfiles', desttime, ddmessage);
  for (const receiver of drop.receivers) {
    const page = { receiver, url: '', taken: [] };
    publish(world, { kind: 'download', account, drop, page });
    drop.pages.push(page);
    world.outbox.push({
      at: drop.createdAt,
      from: account.user,
      to: receiver.email,
      subject: `${account.user} sends you ${drop.files.length === 1 ? 'a file' : `${drop.files.length} files`}`,
      message: ddmessage,
      link: page.url,
    });
  }
  for (const file of drop.files) world.files.retain(file.sha256);
  account.drops.push(drop);
  if (world.behaviour.uploadsAfterDispatch === 'cleared') await clearUploads(world, account);
  return statusReply('ok', world.behaviour);
}

export function newDrop(world: World, account: Account, type: Drop['type'], ttl: number, message: string): Drop {
  const createdAt = world.clock();
  return {
    id: randomUUID(),
    type,
    createdAt,
    expiresAt: expiry(world, createdAt, ttl),
    ttl,
    message,
    // Copies: later changes to the account's lists must not change what was sent.
    files: type === 'downloadfiles' ? structuredClone(account.uploads) : [],
    receivers: structuredClone(account.receivers),
    pages: [],
  };
}

async function clearUploads(world: World, account: Account): Promise<void> {
  const cleared = account.uploads;
  account.uploads = [];
  account.filesInitialised = false;
  for (const file of cleared) await world.files.release(file.sha256);
}
