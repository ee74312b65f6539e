import type { Actor } from '../../src/features/common/services.ts';
import type { TransferServices } from '../../src/features/transfers/kind.ts';
import { confirmRequest, prepareRequest, type RequestDraft } from '../../src/features/transfers/request/operations.ts';

/** Requests files: opens the review and confirms it. Resolves with the request's id. */
export async function requestFiles(services: TransferServices, actor: Actor, draft: RequestDraft): Promise<string> {
  const { reviewId: id } = await prepareRequest(services, actor, draft);
  return (await confirmRequest(services, actor, id)).id;
}
