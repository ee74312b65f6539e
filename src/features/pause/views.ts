import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { bounds } from '../../lib/bounds.ts';
import {
  actions,
  type Blocks,
  button,
  confirmation,
  header,
  line,
  moment,
  note,
  plain,
  section,
  textField,
} from '../../slack/blocks.ts';
import type { Interaction } from '../../slack/interaction.ts';
import { limits } from '../../slack/limits.ts';
import { codec } from '../../slack/metadata.ts';
import { formWithNotice } from '../../slack/rebuilt-form.ts';
import { modal } from '../../slack/views.ts';
import { pausedText, pauseNames } from './fields.ts';
import { type Pauses, type PauseTarget, pauseTargets } from './repository.ts';

/** `submit`: the label of the review's submit button, which appears after a resume. */
export const pauseValue = codec(
  'pause form and buttons',
  z.object({ target: z.enum(pauseTargets), submit: z.string().optional() }),
  limits.buttonValue,
);

/** Says what is paused and why. With `canResume`, it has a button to the page on which admins resume. */
export function pauseNotices(
  pauses: Pauses,
  targets: readonly PauseTarget[] = pauseTargets,
  { canResume = false } = {},
): Blocks {
  const open = canResume ? button('Pause or resume', 'pause.open') : undefined;
  return targets.flatMap((target) => {
    const pause = pauses[target];
    return pause === undefined ? [] : [section(`⚠️ ${pausedText(target, pause)}`, open)];
  });
}

/** Says in a review why it has no submit button. `submit`: the label of that button, which appears after a resume. */
export function pausedReviewBlocks(
  target: 'sending' | 'requests',
  pause: Pauses[PauseTarget],
  { canResume = false, submit }: { canResume?: boolean; submit: string },
): Blocks {
  if (pause === undefined) return [];
  const text = `⚠️ ${pausedText(target, pause)}`;
  if (!canResume) return [section(text), note(`You can't send this until an admin resumes ${nameIn(target)}.`)];
  const confirm = confirmation(`Resume ${nameIn(target)}?`, resumeEffects[target], 'Resume');
  const value = pauseValue.write({ target, submit });
  return [section(text, button('Resume…', 'pause.continue', { value, style: 'primary', confirm }))];
}

/** The review after an admin has resumed: with its button to send. */
export function resumedReview(
  view: NonNullable<Interaction['view']>,
  { target, submit }: { target: PauseTarget; submit?: string },
): ModalView {
  const form = formWithNotice(view, 'pause.continue', `✅ ${resumedText(target)}`);
  return submit === undefined ? form : { ...form, submit: plain(submit, limits.viewButton) };
}

export const resumedText = (target: PauseTarget) => `${pauseNames[target]}: resumed.`;

const pauseEffects: Record<PauseTarget, string> = {
  sending: 'Queued transfers wait, and continue in order when you resume. One that is already being sent is finished.',
  requests: 'Queued requests wait, and continue in order when you resume. One that is already being sent is finished.',
  downloads: "Downloads that haven't started are refused. Those that are running finish.",
};

/** In the middle of a sentence. */
const nameIn = (target: PauseTarget) => pauseNames[target].toLowerCase();

/** What is paused and what isn't, each with a button. */
export function pauseView(pauses: Pauses, notice?: string): ModalView {
  const blocks = [
    ...(notice === undefined ? [] : [section(`✅ ${notice}`)]),
    section('Everyone sees what is paused, and why. New files are still announced, and drafts can be edited.'),
    ...pauseTargets.flatMap((target) => targetBlocks(target, pauses[target])),
  ];
  return modal('Pause', blocks, { close: 'Back' });
}

function targetBlocks(target: PauseTarget, pause: Pauses[PauseTarget]): Blocks {
  const name = nameIn(target);
  if (pause === undefined)
    return [
      header(pauseNames[target]),
      note(pauseEffects[target]),
      actions(button(`Pause ${name}…`, 'pause.start', { value: pauseValue.write({ target }) })),
    ];
  const confirm = confirmation(`Resume ${name}?`, resumeEffects[target], 'Resume');
  return [
    header(pauseNames[target]),
    line({ bold: 'Paused' }, ' by ', { user: pause.person }, ' since ', moment(pause.since)),
    section(`Reason: ${pause.reason}`),
    actions(
      button(`Resume ${name}…`, 'pause.resume', { value: pauseValue.write({ target }), style: 'primary', confirm }),
    ),
  ];
}

const resumeEffects: Record<PauseTarget, string> = {
  sending: 'Transfers that wait are sent now, without another confirmation.',
  requests: 'Requests that wait are sent now, without another confirmation.',
  downloads: 'People can download files again.',
};

export function pauseForm(target: PauseTarget): ModalView {
  return modal(
    `Pause ${nameIn(target)}`,
    [
      section(pauseEffects[target]),
      textField('reason', 'Reason', {
        multiline: true,
        maxLength: bounds.pauseReasonChars,
        hint: 'Everyone in the workspace can see it.',
      }),
    ],
    { id: 'pause.form', submit: 'Pause', close: 'Cancel', metadata: pauseValue.write({ target }) },
  );
}
