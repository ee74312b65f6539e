import type { Transfer, Transfers } from './repository.ts';

/**
 * Shows a transfer's current state. If the transfer ended while it was shown, shows it again: another process might
 * have shown the end first, and our outdated version would have replaced it.
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
