import type { Transfer, Transfers } from './repository.ts';

/**
 * Shows how a transfer stands, and shows its end once more where it ended between the look and the word: whoever ended it
 * may have said so in between, in another process, and what is said last stays.
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
