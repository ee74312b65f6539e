import type { IncomingHttpHeaders } from 'node:http';
import { type Answer, jsonAnswer } from '../http.ts';
import type { Installation, Json, Team } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { type Arguments, refuseUnknown, text } from './arguments.ts';
import { methods, notSimulated } from './index.ts';
import type { Method } from './method.ts';
import { limitCalls, RateLimited } from './rate-limit.ts';
import { missingScope, SlackRefusal } from './refusal.ts';

export interface Processed {
  answer: Answer;
  team: string | undefined;
  error: string | undefined;
}

interface Caller {
  team: Team;
  installation: Installation;
}

/** Processes a call or refuses it as Slack does: with 200 and an error, except for rate limits. */
export async function processCall(
  world: World,
  name: string,
  headers: IncomingHttpHeaders,
  readArguments: () => Arguments,
): Promise<Processed> {
  let caller: Caller | undefined;
  const scopes = () => scopeHeaders(caller?.installation, methods[name]);
  try {
    const args = readArguments();
    const token = bearerToken(headers) ?? text(args, 'token');
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
    if (method?.token !== 'none') {
      if (token === undefined) throw new SlackRefusal('not_authed');
      caller = callerOf(world, token, method);
    }
    const result = await execute(world, name, args, caller, headers);
    return { answer: jsonAnswer(200, { ok: true, ...result }, scopes()), team: caller?.team.id, error: undefined };
  } catch (error) {
    const team = caller?.team.id;
    if (error instanceof RateLimited) {
      const retry = { 'retry-after': String(error.retryAfter) };
      return { answer: jsonAnswer(429, { ok: false, error: 'ratelimited' }, retry), team, error: 'ratelimited' };
    }
    if (!(error instanceof SlackRefusal)) throw error;
    const body = { ok: false, error: error.code, ...error.extra };
    return { answer: jsonAnswer(200, body, scopes()), team, error: error.code };
  }
}

async function execute(
  world: World,
  name: string,
  args: Arguments,
  caller: Caller | undefined,
  headers: IncomingHttpHeaders,
): Promise<Json> {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (!method) throw unknownMethod(name, caller?.installation);
  limitCalls(world, caller?.team.id ?? '', name, method.perMinute);
  refuseUnknown(args, method.args);
  if (method.token !== 'bot') return method.handler({ world, args, credentials: basicCredentials(headers) });
  if (!caller) throw new SlackRefusal('not_authed');
  // The SDK sends the intended workspace. With a token of another one, the bot would mix up two workspaces.
  if ((text(args, 'team_id') ?? caller.team.id) !== caller.team.id) throw new SlackRefusal('team_access_not_granted');
  const { scopes } = caller.installation;
  if (method.scopes.length > 0 && !method.scopes.some((scope) => scopes.includes(scope))) {
    throw missingScope(method.scopes[0] ?? '', scopes);
  }
  return method.handler({ world, args, ...caller });
}

function unknownMethod(name: string, installation: Installation | undefined): SlackRefusal {
  const needed = Object.hasOwn(notSimulated, name) ? notSimulated[name] : undefined;
  const provided = installation?.scopes ?? [];
  if (needed !== undefined && !provided.includes(needed)) return missingScope(needed, provided);
  return new SlackRefusal('unknown_method', { req_method: name });
}

/** The workspace of a bot token; undefined for a token that belongs to no workspace and works for few methods. */
function callerOf(world: World, token: string, method: Method | undefined): Caller | undefined {
  if (method?.token === 'config') {
    if (token === world.app.configToken) return undefined;
    throw new SlackRefusal(token.startsWith('xoxe.') ? 'invalid_auth' : 'not_allowed_token_type');
  }
  const isAppToken = world.app.appToken !== undefined && token === world.app.appToken;
  if (method?.token === 'app') {
    if (isAppToken) return undefined;
    throw new SlackRefusal(token.startsWith('xapp-') ? 'invalid_auth' : 'not_allowed_token_type');
  }
  if (isAppToken) throw new SlackRefusal('not_allowed_token_type');
  for (const team of world.teams.values()) {
    if (team.installation?.token === token) return { team, installation: team.installation };
  }
  throw new SlackRefusal(world.revokedTokens.get(token) ?? 'invalid_auth');
}

export function bearerToken(headers: IncomingHttpHeaders): string | undefined {
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

function basicCredentials(headers: IncomingHttpHeaders): { id: string; secret: string } | undefined {
  const encoded = /^Basic (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString().split(':');
  return { id, secret: secret.join(':') };
}

function scopeHeaders(installation: Installation | undefined, method: Method | undefined): Record<string, string> {
  if (!installation) return {};
  const accepted = method?.token === 'bot' ? method.scopes.join(',') : '';
  return {
    'x-oauth-scopes': installation.scopes.join(','),
    ...(accepted !== '' && { 'x-accepted-oauth-scopes': accepted }),
  };
}
