import type { Answer } from '../../http/answer.ts';
import { readJson } from '../../http/request-body.ts';
import { Refusal } from '../../state/refusal.ts';
import { dispatchParameters } from '../../state/shapes.ts';
import { publish } from '../../state/world.ts';
import { statusReply } from '../replies.ts';
import type { ApiRequest } from '../request.ts';
import { newDrop } from './create-drop.ts';

/**
 * Gives each contact an upload page. The documentation doesn't say which contacts; we assume the current receivers. We
 * also assume that the grant appears in the history, as a drop of type `uploadfiles`.
 */
export async function giveDrop({ world, account, headers, body }: ApiRequest): Promise<Answer> {
  const { desttime, ddmessage } = dispatchParameters(await readJson(body, headers['content-type']));
  if (account.receivers.length === 0) throw new Refusal(409, 'no receivers are set');

  const drop = newDrop(world, account, 'uploadfiles', desttime, ddmessage);
  for (const contact of drop.receivers) {
    const page = { contact, url: '', message: ddmessage, expiresAt: drop.expiresAt, ttl: desttime };
    publish(world, { kind: 'upload', account, page });
    account.uploadPages.push(page);
    world.outbox.push({
      at: drop.createdAt,
      from: account.user,
      to: contact.email,
      subject: `${account.user} asks you for files`,
      message: ddmessage,
      link: page.url,
    });
  }
  account.drops.push(drop);
  return statusReply('ok', world.behaviour);
}
