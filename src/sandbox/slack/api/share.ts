import type { World } from '../state/world.ts';

/**
 * Shares a file after a delay: Slack answers before it has scanned and shared it. A fault of `share` holds the share
 * (`delay`) or drops it (any other kind).
 */
export function shareLater(world: World, share: () => void): void {
  const { shareMs } = world.behaviour;
  const shareUnlessClosed = () => {
    if (!world.closed.signal.aborted) share();
  };
  const fault = world.faults.takeCall('share');
  if (fault?.kind === 'delay') void fault.hold().then(shareUnlessClosed);
  else if (fault !== undefined) fault.markApplied();
  else if (Number.isFinite(shareMs)) {
    const timer = setTimeout(() => {
      world.timers.delete(timer);
      shareUnlessClosed();
    }, shareMs);
    world.timers.add(timer);
  }
}
