import { transfersIn } from '../../../src/features/transfers/repository.ts';
import type { StateStep } from '../../../src/features/transfers/states.ts';
import { user } from '../../helpers/exchange.ts';
import type { InboxSetup } from '../../helpers/inbox.ts';
import { insertTransfer, requestContent, takeSteps } from '../../helpers/transfers.ts';

export interface FileRequest {
  id: string;
  take(...steps: StateStep[]): Promise<unknown>;
}

/** Inserts a file request that is being sent. */
export async function insertRequest(
  { store, server }: InboxSetup,
  person: string,
  email: string,
  username = user,
): Promise<FileRequest> {
  const account = `${server.url}/${username}`;
  const content = requestContent({ recipients: [{ email, json: '{}' }] });
  const id = await insertTransfer(store, { workspace: 'T1', account, person, content });
  await transfersIn(store).updateLocations(id, () => ({ card: { channel: 'D1', ts: id } }));
  await takeSteps(store, id, ['start', 'commit']);
  return { id, take: (...steps) => takeSteps(store, id, steps) };
}

export const requests: [string, string, (request: FileRequest, setup: InboxSetup) => Promise<unknown>][] = [
  ['is not recorded as ended yet', 'reply', ({ take }) => take('accept')],
  ['failed', 'unrequested', ({ take }) => take('failed')],
  [
    'is older than 30 days',
    'unrequested',
    async ({ id, take }, { store }) => {
      await take('accept', 'sent');
      await store.pool.query(`update dropline.transfers set ended_at = now() - interval '31 days' where id = $1`, [id]);
    },
  ],
];
