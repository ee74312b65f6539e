import { z } from 'zod';
import { actions, type Blocks, button, line, list, note } from '../../../../../slack/blocks.ts';
import { limits } from '../../../../../slack/limits.ts';
import { type Content, contentOf } from '../../../../../slack/messages.ts';
import { codec } from '../../../../../slack/metadata.ts';
import { andList } from '../../../../../slack/words.ts';
import type { Checklist, TransferDetails, TransferWithDetails } from '../../../repository.ts';
import { missingPoints } from './fields.ts';

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
export function checklistMessage(
  { id, details: { checklist } }: TransferWithDetails,
  followUp?: TransferWithDetails,
): Content {
  const { points = [] } = checklist ?? {};
  const listed = new Set(followUp?.details.checklist?.points.map(({ text }) => text));
  const missing = checklist === undefined ? [] : missingPoints(checklist);
  const isDone = missing.length === 0;
  const title = isDone ? `✅ ${completeText}` : `What has arrived? Missing: ${andList(missing)}.`;
  if (followUp !== undefined && missing.every((text) => listed.has(text))) {
    if (isDone) return contentOf(title, [line({ bold: title })]);
    const text = 'You asked again. Tick off what arrives at the newer request.';
    return contentOf(text, [line({ bold: text }), actions(followUpButton(followUp.id))]);
  }
  const buttons = points.flatMap(({ text, ticked }, point) =>
    listed.has(text)
      ? []
      : [
          button(`${ticked === undefined ? '⬜' : '✅'} ${text}`, `request.tick#${point}`, {
            value: tickValue.write({ id, point, isTicked: ticked === undefined }),
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
export function checklistBlocks({ checklist, answers = [] }: TransferDetails): Blocks {
  if (checklist === undefined) return [];
  const { points } = checklist;
  const missing = missingPoints(checklist);
  if (missing.length === 0) return [line(`✅ ${completeText}`)];
  const arrived = points.flatMap(({ text, ticked }) => (ticked === undefined ? [] : [text]));
  return [
    line({ bold: isUnticked(points, answers) ? untickedText : `Missing: ${missing.length} of ${points.length}` }),
    list(missing.map((point) => [point])),
    ...(arrived.length === 0 ? [] : [line('Arrived: ', andList(arrived, points.length))]),
  ];
}

/** After an upload, "Missing" would sound as if nothing had arrived. */
const untickedText = 'Nothing ticked off yet';
const isUnticked = (points: Checklist['points'], answers: readonly unknown[]) =>
  answers.length > 0 && points.every(({ ticked }) => ticked === undefined);

/** Like `checklistBlocks`, as plain text. */
export function checklistText({ checklist, answers = [] }: TransferDetails): string {
  if (checklist === undefined) return '';
  const missing = missingPoints(checklist);
  if (missing.length === 0) return ` ${completeText}`;
  const title = isUnticked(checklist.points, answers) ? untickedText : 'Missing';
  return ` ${title}: ${andList(missing, missing.length)}.`;
}
