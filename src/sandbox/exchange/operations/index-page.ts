import type { Answer } from '../answer.ts';
import { indexPage } from '../pages/index-page.ts';
import { htmlReply } from '../replies.ts';
import type { ApiRequest } from '../routes.ts';
import { issueToken } from '../tokens.ts';

export function showIndex({ world, account }: ApiRequest): Answer {
  const token = issueToken(account, world.clock(), world.behaviour);
  return htmlReply(indexPage(account.user, token).text);
}
