import { Refusal } from '../state/refusal.ts';

/** Splits the request's path before decoding it: an encoded slash is part of a segment. */
export function parseTarget(target: string): { segments: string[]; query: string } {
  const queryStart = target.indexOf('?');
  const path = queryStart < 0 ? target : target.slice(0, queryStart);
  if (!path.startsWith('/')) throw new Refusal(400, 'the request is not for a path');
  try {
    return {
      segments: path.slice(1).split('/').map(decodeURIComponent),
      query: queryStart < 0 ? '' : target.slice(queryStart + 1),
    };
  } catch {
    throw new Refusal(400, 'the path is not encoded correctly');
  }
}
