import { DroplineError } from '../../../../errors.ts';
import type { Exchange } from '../../../../exchange/index.ts';
import type { Services } from '../../../common/services.ts';
import { cleanUp, removeOne } from '../../clean-up.ts';
import type { OpenTransfer } from '../../repository.ts';

/**
 * Empties the account, because everything on it would be sent. Deletes our own files, and rejects if there are
 * unexpected ones. Also clears the recipients of an earlier transfer: otherwise a delayed call of that transfer could
 * send them the new files.
 */
export async function expectOnlyOurs(services: Services, exchange: Exchange, { details }: OpenTransfer): Promise<void> {
  const { unexpected } = await cleanUp(services, exchange);
  const allowed = new Set(details.removeForeign);
  for (const name of unexpected) if (allowed.has(name)) await removeOne(exchange, name);
  const names = unexpected.filter((name) => !allowed.has(name));
  if (names.length > 0) throw unexpectedFiles(names);
}

export function unexpectedFiles(names: readonly string[]): DroplineError {
  const message = `Unexpected files on the account blocked this transfer: ${names.join(', ')}. They would be sent too, so nothing was sent.`;
  return new DroplineError('foreign-files', message, { names });
}
