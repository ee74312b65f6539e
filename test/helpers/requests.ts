import type { Actor, Services } from '../../src/features/common/services.ts';
import {
  confirmRequest,
  prepareRequest,
  type RequestDraft,
} from '../../src/features/transfers/kinds/request/operations.ts';

/** Requests files: opens the review and confirms it. Resolves with the request's id. */
export async function requestFiles(services: Services, actor: Actor, draft: RequestDraft): Promise<string> {
  const { id } = await prepareRequest(services, actor, draft);
  return (await confirmRequest(services, actor, id)).id;
}
