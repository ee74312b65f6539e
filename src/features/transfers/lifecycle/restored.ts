import { queueEnd } from '../approval/jobs.ts';
import type { TransferServices } from '../kind.ts';
import { endTransfer } from '../outcome/end.ts';
import { queueTransfer } from '../queue.ts';
import { transfersIn } from '../repository.ts';

/**
 * After the database was restored from a backup: ends every transfer that was open in it. It can have been sent after
 * the backup, so its job only tells people. Resolves with the workspace of each.
 */
export async function endOpenTransfers(
  services: Pick<TransferServices, 'store' | 'log' | 'kinds' | 'queue'>,
): Promise<string[]> {
  const ended: string[] = [];
  for (const transfer of await transfersIn(services.store).listOpen()) {
    const { workspace, state } = transfer;
    const isEnded = await endTransfer(services, transfer, 'unknown', { result }, [state], (client) =>
      state === 'approval' ? queueEnd(services, transfer, client) : queueTransfer(services, transfer, client),
    );
    if (isEnded) ended.push(workspace);
  }
  return ended;
}

const result = {
  code: 'restored',
  message:
    "Dropline was restored from a backup, so I don't know whether this was sent. Check the history before you send it again.",
  names: [],
};
