import type { Pause, PauseTarget } from './repository.ts';

export const pauseNames: Record<PauseTarget, string> = {
  sending: 'Sending',
  requests: 'File requests',
  downloads: 'Downloads',
};

/** For example “Sending is paused by an admin: Audit until Friday”. */
export function pausedText(target: PauseTarget, { reason }: Pick<Pause, 'reason'>): string {
  return `${pauseNames[target]} ${target === 'sending' ? 'is' : 'are'} paused by an admin: ${reason}`;
}
