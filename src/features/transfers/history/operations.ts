import type { Desk } from '../../../store/index.ts';
import { connectionOf } from '../../common/connection.ts';
import type { Services } from '../../common/services.ts';
import type { HistoryAnswer, HistoryReader } from '../../common/shared-work.ts';
import { textOf } from './compare.ts';

/**
 * Reads the whole history. Runs one read at a time per connection; calls during a read wait and share the next one. So
 * simultaneous calls cost at most two reads, and no call gets a history that was read before the call.
 */
export async function readWholeHistory(services: Services, desk: Desk, reader: HistoryReader): Promise<HistoryAnswer> {
  const { exchange, credentials } = await connectionOf(services, desk);
  // Not keyed by account only: two workspaces can share an account, and the API key of one can be revoked.
  const key = JSON.stringify([desk.workspace, exchange.account, credentials.connectedAt]);
  return services.historyReads.join(key, reader, (readers) =>
    exchange.readHistory({
      begin: () => {
        for (const { begin } of readers) begin?.();
      },
      pick: (entry, bytes) => {
        let hash: string | undefined;
        const read = { entry, bytes, hash: () => (hash ??= services.store.hmacOf(textOf(entry))) };
        for (const { take } of readers) take(read);
        return undefined;
      },
    }),
  );
}

/** Which of these addresses have received files from this account; undefined if the history can't be read. */
export async function recipientsInHistory(
  services: Services,
  desk: Desk,
  emails: readonly string[],
): Promise<Set<string> | undefined> {
  const addresses = new Set(emails.map((email) => email.toLowerCase()));
  const earlierRecipients = new Set<string>();
  try {
    await readWholeHistory(services, desk, {
      take({ entry: { recipients, files } }) {
        if (files.length === 0 || earlierRecipients.size === addresses.size) return;
        for (const { email = '' } of recipients) {
          const key = email.toLowerCase();
          if (addresses.has(key)) earlierRecipients.add(key);
        }
      },
    });
    return earlierRecipients;
  } catch (error) {
    services.log.warn({ workspace: desk.workspace, err: error }, 'could not determine new recipients');
    return undefined;
  }
}
