import type { Answer } from '../../http/answer.ts';
import { indexPage } from '../../pages/index-page.ts';
import { issueToken } from '../../state/tokens.ts';
import { htmlReply } from '../replies.ts';
import type { ApiRequest } from '../request.ts';

export function showIndex({ world, account }: ApiRequest): Answer {
  const token = issueToken(account, world.clock(), world.behaviour);
  return htmlReply(indexPage(account.user, token).text);
}
