import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { bounds } from '../../../bounds.ts';
import {
  actions,
  type Blocks,
  button,
  confirmation,
  header,
  line,
  moment,
  note,
  section,
  textField,
} from '../../../slack/blocks.ts';
import { codec } from '../../../slack/metadata.ts';
import { modal } from '../../../slack/views.ts';
import { pausedText, pauseNames } from './fields.ts';
import { type Pauses, type PauseTarget, pauseTargets } from './repository.ts';

/** Says what is paused and why, wherever people would use it. */
export function pauseNotices(pauses: Pauses, targets: readonly PauseTarget[] = pauseTargets): Blocks {
  return targets.flatMap((target) => {
    const pause = pauses[target];
    return pause === undefined ? [] : [section(`⚠️ ${pausedText(target, pause)}`)];
  });
}

const effects: Record<PauseTarget, string> = {
  sending: 'Queued transfers wait, and continue in order when you resume. One that is already being sent is finished.',
  requests: 'Queued requests wait, and continue in order when you resume. One that is already being sent is finished.',
  downloads: "Downloads that haven't started are refused. Those that are running finish.",
};

const buttonNames: Record<PauseTarget, string> = {
  sending: 'sending',
  requests: 'file requests',
  downloads: 'downloads',
};

/** What is paused, with a button for each. */
export function pauseView(pauses: Pauses, notice?: string): ModalView {
  const blocks = [
    ...(notice === undefined ? [] : [section(`✅ ${notice}`)]),
    section('Everyone sees what is paused, and why. New files are still announced, and drafts can be edited.'),
    ...pauseTargets.flatMap((target) => targetBlocks(target, pauses[target])),
  ];
  return modal('Pause', blocks, { close: 'Back' });
}

function targetBlocks(target: PauseTarget, pause: Pauses[PauseTarget]): Blocks {
  const name = buttonNames[target];
  if (pause === undefined)
    return [
      header(pauseNames[target]),
      note(effects[target]),
      actions(button(`Pause ${name}…`, 'pause.start', { value: target })),
    ];
  const confirm = confirmation(`Resume ${name}?`, resumeEffects[target], 'Resume');
  return [
    header(pauseNames[target]),
    line({ bold: 'Paused' }, ' by ', { user: pause.person }, ' since ', moment(pause.since)),
    section(`Reason: ${pause.reason}`),
    actions(button(`Resume ${name}…`, 'pause.resume', { value: target, style: 'primary', confirm })),
  ];
}

const resumeEffects: Record<PauseTarget, string> = {
  sending: 'Transfers that wait are sent now, without another confirmation.',
  requests: 'Requests that wait are sent now, without another confirmation.',
  downloads: 'People can download files again.',
};

export const pauseMetadata = codec('pause form', z.object({ target: z.enum(pauseTargets) }));

export function pauseForm(target: PauseTarget): ModalView {
  return modal(
    `Pause ${buttonNames[target]}`,
    [
      section(effects[target]),
      textField('reason', 'Reason', {
        multiline: true,
        maxLength: bounds.pauseReasonChars,
        hint: 'Everyone in the workspace can see it.',
      }),
    ],
    { id: 'pause.form', submit: 'Pause', close: 'Cancel', metadata: pauseMetadata.write({ target }) },
  );
}
