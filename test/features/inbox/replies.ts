import { randomUUID } from 'node:crypto';
import { transfersIn } from '../../../src/features/transfers/repository.ts';
import { user } from '../../helpers/exchange.ts';
import type { InboxSetup } from '../../helpers/inbox.ts';

export interface FileRequest {
  id: string;
  change(state: 'committing' | 'sent' | 'failed', ended: boolean): Promise<unknown>;
}

/** Inserts a file request that is being sent. */
export async function insertRequest(
  { store, server }: InboxSetup,
  person: string,
  email: string,
  username = user,
): Promise<FileRequest> {
  const id = randomUUID();
  const transfers = transfersIn(store);
  const account = `${server.url}/${username}`;
  const details = {
    recipients: [{ email, json: '{}' }],
    files: [],
    message: '',
    expiresAfter: 7,
    removeUnexpected: [],
    location: { thread: id },
  };
  await transfers.insert(store.pool, { id, kind: 'request', workspace: 'T1', account, person, details });
  const change: FileRequest['change'] = (state, ended) =>
    transfers.change(id, async () => ({ state, committed: true, ended }));
  await change('committing', false);
  return { id, change };
}

export const requests: [string, string, (request: FileRequest, setup: InboxSetup) => Promise<unknown>][] = [
  ['is not recorded as ended yet', 'reply', ({ change }) => change('sent', false)],
  ['failed', 'unrequested', ({ change }) => change('failed', true)],
  [
    'is older than 30 days',
    'unrequested',
    async ({ id, change }, { store }) => {
      await change('sent', true);
      await store.pool.query(`update dropline.transfers set ended_at = now() - interval '31 days' where id = $1`, [id]);
    },
  ],
];
