import type { Person, Upload } from '../../src/sandbox/slack/index.ts';
import { until } from '../helpers/features.ts';
import { reviews, stages } from '../helpers/send-steps.ts';
import { opensReview } from './approval.ts';
import { signInTo } from './download-link.ts';
import { requestsApproval } from './waiting-approval.ts';

export const plan = { name: 'plan.pdf', data: 'the plan' };
export const map = { name: 'map.png', data: 'the map' };

/** One person requests approval of a transfer with these files, and another opens its review. */
export async function waitsForReview(sender: Person, approver: Person, files: readonly Upload[]): Promise<void> {
  await stages(sender, files);
  await reviews(sender);
  await requestsApproval(sender);
  await opensReview(approver);
}

/** Clicks Open files in the review, and closes it. */
export async function opensFiles(approver: Person): Promise<void> {
  await approver.sees('Open files gives you your own copy of each file in our direct messages.');
  await approver.clicks('Open files');
  await approver.sees("I'm sending you the files in our direct messages.");
  await approver.doesNotSee('[Open files]');
  await approver.closes();
  await approver.opens('Dropline');
}

/** Follows a link in the person's direct messages, and signs in. */
export async function linkTo(person: Person, name: string): Promise<string> {
  const before = person.opened.length;
  await person.clicks('Open download page', { near: `Your link to “${name}”` });
  return signInTo((await until(() => person.opened[before], 'the page to be opened')) as string, person);
}
