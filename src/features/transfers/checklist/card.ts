import { z } from 'zod';
import { actions, type Blocks, button, line, list, note } from '../../../slack/blocks.ts';
import { limits } from '../../../slack/limits.ts';
import { type Content, contentOf } from '../../../slack/messages.ts';
import { codec } from '../../../slack/metadata.ts';
import { andList } from '../../../slack/words.ts';
import type { FileRequest } from '../transfer.ts';
import { missingPoints } from '../transfer.ts';

/** A button's value has the new state of the point, so that a click counts once even if Slack delivers it twice. */
export const tickValue = codec(
  'checklist button',
  z.object({ id: z.string(), point: z.number().int().min(0), isTicked: z.boolean() }),
  limits.buttonValue,
);

const completeText = 'Everything on the checklist has arrived.';

/**
 * The message in a request's thread in which its points are ticked off. After Ask again, it leaves out the points that
 * the newer request lists.
 */
export function checklistMessage(request: FileRequest, followUp?: FileRequest): Content {
  const { id, checklist, ticks } = request;
  const points = checklist?.points ?? [];
  const ticked = new Set(ticks.map((tick) => tick.point));
  const listed = new Set(followUp?.checklist?.points);
  const missing = missingPoints(request);
  const isDone = missing.length === 0;
  const title = isDone ? `✅ ${completeText}` : `What has arrived? Missing: ${andList(missing)}.`;
  if (followUp !== undefined && missing.every((text) => listed.has(text))) {
    if (isDone) return contentOf(title, [line({ bold: title })]);
    const text = 'You asked again. Tick off what arrives at the newer request.';
    return contentOf(text, [line({ bold: text }), actions(followUpButton(followUp.id))]);
  }
  const buttons = points.flatMap((text, point) =>
    listed.has(text)
      ? []
      : [
          button(`${ticked.has(text) ? '✅' : '⬜'} ${text}`, `request.tick#${point}`, {
            value: tickValue.write({ id, point, isTicked: !ticked.has(text) }),
          }),
        ],
  );
  return contentOf(title, [
    line({ bold: title }),
    actions(...buttons),
    note(isDone ? 'Later files go to the inbox.' : 'Click what has arrived. Click again to undo.'),
  ]);
}

/** Opens the request that repeats this one. */
export const followUpButton = (id: string) => button('View newer request', 'request.show#newer', { value: id });

/** What a request's card says about its checklist. */
export function checklistBlocks(request: FileRequest): Blocks {
  const { checklist, ticks } = request;
  if (checklist === undefined) return [];
  const { points } = checklist;
  const missing = missingPoints(request);
  if (missing.length === 0) return [line(`✅ ${completeText}`)];
  const arrived = points.filter((point) => !missing.includes(point));
  return [
    line({ bold: isUnticked(request) ? untickedText : `Missing: ${missing.length} of ${points.length}` }),
    list(missing.map((point) => [point])),
    ...(ticks.length === 0 ? [] : [line('Arrived: ', andList(arrived, points.length))]),
  ];
}

/** After an upload, "Missing" would sound as if nothing had arrived. */
const untickedText = 'Nothing ticked off yet';
const isUnticked = ({ answers, ticks }: FileRequest) => answers.length > 0 && ticks.length === 0;

/** Like `checklistBlocks`, as plain text. */
export function checklistText(request: FileRequest): string {
  if (request.checklist === undefined) return '';
  const missing = missingPoints(request);
  if (missing.length === 0) return ` ${completeText}`;
  const title = isUnticked(request) ? untickedText : 'Missing';
  return ` ${title}: ${andList(missing, missing.length)}.`;
}
