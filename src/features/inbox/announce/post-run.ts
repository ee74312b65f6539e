import { createBatcher } from '../../../lib/batcher.ts';
import { isDroplineError } from '../../../lib/errors.ts';
import type { Desk } from '../../../store/index.ts';
import { connectionOf } from '../../common/connection.ts';
import type { Services } from '../../common/services.ts';
import { postingText } from '../../settings/inbox-channels.ts';
import { readSettings, type Settings } from '../../settings/repository.ts';

export type PostRun = ReturnType<typeof startPostRun>;

const checkWaitMs = 10;

/** Rejects if nothing more must be posted. */
type Check = () => Promise<void>;

/**
 * The posts of one job for an account's inbox, until the time limit. After a failed post, it continues with the others
 * and fails the job at the end, so that it is retried. It stops if the worker has lost its lock, another account is
 * connected, or an admin has changed where or when to post.
 */
export function startPostRun(
  services: Services,
  { settings, ...desk }: Required<Desk> & { settings: Settings },
  expectLock: Check,
) {
  const deadline = performance.now() + services.timing.announceMs;
  const failures: unknown[] = [];
  let started = 0;
  let hasRest = false;
  let stopped: { reason: unknown } | undefined;

  async function expectUnchanged(): Promise<void> {
    await expectLock();
    // After a reconnect to the same account, the inbox is the same, so continue.
    await connectionOf(services, desk);
    if (postingText(settings) !== postingText(await readSettings(services, desk))) throw new ChannelsChangedError();
  }

  // Posts in several channels are often due at the same moment and can share a check that starts after that.
  const joinCheck = createBatcher<void, void>(expectUnchanged, { waitMs: checkWaitMs });
  const check: Check = () =>
    joinCheck().catch((error: unknown) => {
      stopped = { reason: error };
      throw error;
    });

  /** At least one post is made, even if the job started late. */
  const isOver = () => stopped !== undefined || (started > 0 && performance.now() >= deadline);

  return {
    isOver,
    /** Leaves the rest to the next job. */
    leaveRest() {
      hasRest = true;
    },
    /** Makes a post, unless the run is over. It must check right before each message. */
    async post(make: (check: Check) => Promise<void>): Promise<void> {
      if (isOver()) {
        hasRest = true;
        return;
      }
      started += 1;
      try {
        await make(check);
      } catch (error) {
        if (stopped === undefined) failures.push(error);
      }
    },
    /**
     * When to continue: not at once if every post failed. Posts that failed because of their location, which a person
     * must fix, are retried `later`.
     */
    finish(): 'none' | 'next' | 'later' {
      if (stopped?.reason instanceof ChannelsChangedError) return 'next';
      if (stopped !== undefined) throw stopped.reason;
      const failure = failures.find((one) => !isDroplineError(one, 'no-channel'));
      if (failure !== undefined) throw failure;
      if (hasRest && (started === 0 || started > failures.length)) return 'next';
      return failures.length === 0 ? 'none' : 'later';
    },
  };
}

class ChannelsChangedError extends Error {
  override readonly name = 'ChannelsChangedError';
}
