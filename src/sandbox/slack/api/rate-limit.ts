import type { Channel, Team } from '../state/model.ts';
import type { World } from '../state/world.ts';

/** Answered with 429 and Retry-After. */
export class RateLimited extends Error {
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('ratelimited');
    this.retryAfter = retryAfter;
  }
}

/** Limits the calls of a method per minute and workspace. */
export function limitCalls(world: World, teamId: string, method: string, perMinute: number): void {
  limit(world, `${teamId} ${method}`, perMinute, 60_000);
}

/** One message per second and channel. Slack tolerates short bursts, but an app shouldn't rely on them. */
export function limitPosts(world: World, team: Team, channel: Channel): void {
  limit(world, `${team.id} ${channel.id}`, 1, 1000);
}

function limit(world: World, key: string, max: number, windowMs: number): void {
  if (!world.behaviour.rateLimits) return;
  const now = world.clock();
  const recent = (world.rates.get(key) ?? []).filter((at) => now - at < windowMs);
  world.rates.set(key, recent);
  const [first] = recent;
  if (first !== undefined && recent.length >= max) {
    throw new RateLimited(Math.max(1, Math.ceil((first + windowMs - now) / 1000)));
  }
  recent.push(now);
}
