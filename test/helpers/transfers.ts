import { randomUUID } from 'node:crypto';
import { type NewTransfer, transfersIn } from '../../src/features/transfers/repository.ts';
import type { StateStep } from '../../src/features/transfers/states.ts';
import type { RequestContent, SendContent, TransferContent } from '../../src/features/transfers/transfer.ts';
import { inTransaction, type Store } from '../../src/store/index.ts';

const base = { recipients: [{ email: 'carl@example.org', json: '{}' }], message: '', expiresAfter: 7 };
export const sendContent = (more: Partial<SendContent> = {}): SendContent => ({
  ...base,
  kind: 'send',
  files: [],
  ...more,
});
export const requestContent = (more: Partial<RequestContent> = {}): RequestContent => ({
  ...base,
  kind: 'request',
  ...more,
});

/** Adds a transfer without a job. Returns its id. */
export async function insertTransfer(
  store: Store,
  transfer: Omit<NewTransfer, 'id' | 'state'> & Partial<NewTransfer>,
): Promise<string> {
  const id = transfer.id ?? randomUUID();
  await inTransaction(store.pool, (client) => transfersIn(store).insert(client, { state: 'waiting', ...transfer, id }));
  return id;
}

/** Moves a transfer through these steps. */
export async function takeSteps(store: Store, id: string, steps: readonly StateStep[]): Promise<void> {
  for (const step of steps) await transfersIn(store).change(id, async () => ({ step }));
}

export const stepsToSent = ['start', 'commit', 'accept', 'sent'] as const satisfies StateStep[];

/** Changes the content of a transfer, as if something else had been confirmed. */
export async function rewriteContent(store: Store, id: string, changes: Partial<TransferContent>): Promise<void> {
  const { encrypt, decrypt } = store.columnCipher('transfers', 'content_encrypted');
  const { rows } = await store.pool.query<{ text: string }>(
    'select content_encrypted as text from dropline.transfers where id = $1',
    [id],
  );
  const content = { ...(decrypt(id, rows[0]?.text ?? '') as TransferContent), ...changes };
  await store.pool.query('update dropline.transfers set content_encrypted = $2 where id = $1', [
    id,
    encrypt(id, content),
  ]);
}
