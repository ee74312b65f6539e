import type { World } from '../world.ts';

/**
 * Shares a file after a delay: Slack answers before it has scanned and shared it. A fault of `share` holds the share
 * (`delay`) or drops it (any other kind).
 */
export function shareLater(world: World, share: () => void): void {
  const { shareMs } = world.behaviour;
  const shareUnlessClosed = () => {
    if (!world.closed.signal.aborted) share();
  };
  const strike = world.faults.takeCall('share');
  if (strike?.kind === 'delay') void strike.held().then(shareUnlessClosed);
  else if (strike !== undefined) strike.hit();
  else if (Number.isFinite(shareMs)) {
    const timer = setTimeout(() => {
      world.timers.delete(timer);
      shareUnlessClosed();
    }, shareMs);
    world.timers.add(timer);
  }
}
