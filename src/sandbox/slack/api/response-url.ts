import { byApp, change, post, remove } from '../delivery/messages.ts';
import type { Answer } from '../http.ts';
import { jsonAnswer, textAnswer } from '../http.ts';
import type { Json, Message } from '../state/model.ts';
import { channelOf, type ResponseUrl, teamOf, type World } from '../state/world.ts';
import { parseJson } from './arguments.ts';
import { checkedContent } from './message-arguments.ts';
import { SlackRefusal } from './refusal.ts';

const knownFields = ['text', 'blocks', 'response_type', 'replace_original', 'delete_original'];

export interface ResponseUrlResult {
  answer: Answer;
  team: string | undefined;
  error: string | undefined;
  body: Json;
}

/** Handles a post to a response_url. Every error has an HTTP error status, so that clients notice it. */
export function respond(world: World, path: string, text: string): ResponseUrlResult {
  const url = world.responseUrls.get(path);
  const value = parseJson(text);
  const body = typeof value === 'object' && value !== null ? (value as Json) : {};
  try {
    if (!url || !teamOf(world, url.teamId).installation) throw new SlackRefusal('no_team');
    if (world.clock() - url.issued >= world.behaviour.responseUrlMs) throw new SlackRefusal('expired_url');
    if (url.uses >= world.behaviour.responseUrlUses) throw new SlackRefusal('used_url');
    if (body !== value) throw new SlackRefusal('invalid_payload');
    const unknown = Object.keys(body).filter((name) => !knownFields.includes(name));
    if (unknown.length > 0) throw new SlackRefusal('invalid_arguments', { unknown });
    apply(world, url, body);
    url.uses++;
    return { answer: textAnswer(200, 'ok'), team: url.teamId, error: undefined, body };
  } catch (error) {
    if (!(error instanceof SlackRefusal)) throw error;
    const isGone = ['no_team', 'expired_url', 'used_url'].includes(error.code);
    const answer = jsonAnswer(isGone ? 404 : 400, { ok: false, error: error.code, ...error.extra });
    return { answer, team: url?.teamId, error: error.code, body };
  }
}

function apply(world: World, url: ResponseUrl, body: Json): void {
  const team = teamOf(world, url.teamId);
  const channel = channelOf(team, url.channelId);
  const original = channel.messages.find(({ ts }) => ts === url.messageTs);
  if (body.delete_original === true) {
    // Slack accepts no other field with this one, and after a command there is no message to delete.
    if (Object.keys(body).length > 1 || !original) throw new SlackRefusal('invalid_arguments');
    remove(world, team, channel, original);
    return;
  }
  const content = checkedContent(body);
  if (body.replace_original === true && original) {
    // The new message replaces the old one completely, so fields that it omits are cleared.
    change(world, team, channel, original, { blocks: [], ...content });
    return;
  }
  post(world, team, channel, { ...byApp(world, team), ...content, ...visibilityOf(body, url.userId) });
}

/** By default, only the person who acted sees an answer. */
export function visibilityOf(body: Json, userId: string): Pick<Message, 'ephemeralTo'> {
  const type = body.response_type ?? 'ephemeral';
  if (type === 'in_channel') return {};
  if (type !== 'ephemeral') throw new SlackRefusal('invalid_arguments');
  return { ephemeralTo: userId };
}
