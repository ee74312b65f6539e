import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { bounds } from '../lib/bounds.ts';
import type { Log } from '../lib/log.ts';
import { defineCollection, type Store } from '../store/index.ts';

/** Must be longer than the ten minutes for which the SDK accepts a state. */
const stateTtlMs = 15 * 60_000;
const minuteMs = 60_000;

const usedStates = defineCollection('oauth-state', z.literal(true));

/**
 * Runs after the SDK has verified the state and before it sends the code to Slack. Anyone can get a state, and the SDK
 * accepts it repeatedly. So this accepts each state once, and limits the installations per minute and process.
 */
export function installGuard(
  { collection }: Pick<Store, 'collection'>,
  log: Pick<Log, 'info'>,
  showRefusal: (response: ServerResponse, status: number, message: string) => void,
) {
  const used = collection(usedStates);
  let minute = { startedAt: Number.NEGATIVE_INFINITY, count: 0 };

  return async (_: unknown, request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const refuse = (status: number, message: string) => {
      log.info({ reason: message }, 'installation refused');
      showRefusal(response, status, message);
      return false;
    };
    if (Date.now() - minute.startedAt >= minuteMs) minute = { startedAt: Date.now(), count: 0 };
    const currentMinute = minute;
    if (currentMinute.count >= bounds.installsPerMinute) {
      return refuse(429, 'Too many installations at the moment. Try again in a minute.');
    }
    currentMinute.count++;
    const state = new URL(request.url ?? '', 'http://localhost').searchParams.get('state') ?? '';
    const name = createHash('sha256').update(state).digest('base64url');
    if (await used.add(name, true, { ttlMs: stateTtlMs })) return true;
    currentMinute.count--;
    return refuse(400, 'This link has been used. Start the installation again.');
  };
}
