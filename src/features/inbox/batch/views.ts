import { count } from '../../../slack/words.ts';
import { downloadStartText } from '../announce/views.ts';
import type { BatchAnswer } from './order.ts';
import type { EndedBatch } from './repository.ts';

/** The private answer to a click that downloads several files. */
export function batchText({ answers, remaining, infected }: BatchAnswer): string {
  const omittedText = [
    remaining === 0 ? '' : ` ${count(remaining, 'file')} left. Click the button again when these have arrived.`,
    infected === 0 ? '' : ` ${count(infected, 'file')} with malware left out.`,
  ].join('');
  return `${startText(answers)}${omittedText}`;
}

function startText(answers: BatchAnswer['answers']): string {
  const [first] = answers;
  if (first === undefined) return "You've downloaded all of these files. To get one again, click Download next to it.";
  if ('link' in first)
    return answers.length === 1
      ? 'I sent you the link in a direct message.'
      : `I sent you ${answers.length} links in direct messages.`;
  if (answers.length === 1) return downloadStartText(first.name, first.isInThread);
  const files = count(answers.length, 'file');
  return first.isInThread ? `I'll post ${files} in the thread.` : `I'll send you ${files} in direct messages.`;
}

/** Shown in the modal when all downloads have ended. */
export function batchEndText({ total, failed }: Pick<EndedBatch, 'total' | 'failed'>): string {
  if (failed === 0) return `${count(total, 'file')} ${total === 1 ? 'is' : 'are'} in our direct messages.`;
  return `⚠️ ${failed} of ${count(total, 'file')} couldn't be downloaded. See our direct messages.`;
}
