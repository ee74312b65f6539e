import type { Transfer, Transfers } from './repository.ts';

/**
 * Shows a transfer's current state. If it ended between the read and the update, shows its end again: another process
 * could have shown the end already, and our stale update would have overwritten it.
 */
export async function showCurrent<T>(
  repository: Transfers,
  id: string,
  show: (transfer: Transfer | undefined) => Promise<T>,
): Promise<T> {
  const transfer = await repository.read(id);
  const shown = await show(transfer);
  if (transfer === undefined || transfer.endedAt !== undefined) return shown;
  const later = await repository.read(id);
  return later?.endedAt === undefined ? shown : show(later);
}
