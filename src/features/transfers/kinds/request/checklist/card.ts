import { z } from 'zod';
import { actions, type Blocks, button, line, list, note } from '../../../../../slack/blocks.ts';
import { limits } from '../../../../../slack/limits.ts';
import { type Content, contentOf } from '../../../../../slack/messages.ts';
import { codec } from '../../../../../slack/metadata.ts';
import { andList } from '../../../../../slack/words.ts';
import type { OpenTransfer, TransferDetails } from '../../../repository.ts';
import { missingPoints } from './fields.ts';

/** A button's value has the new state of the point, so that a click counts once even if Slack delivers it twice. */
export const tickValue = codec(
  'checklist button',
  z.object({ id: z.string(), point: z.number().int().min(0), isTicked: z.boolean() }),
  limits.buttonValue,
);

const completeText = 'Everything on the checklist has arrived.';

/** The message in a request's thread in which its points are ticked off. */
export function checklistMessage({ id, details: { checklist } }: OpenTransfer): Content {
  const { points = [] } = checklist ?? {};
  const missing = checklist === undefined ? [] : missingPoints(checklist);
  const isDone = missing.length === 0;
  const title = isDone ? `✅ ${completeText}` : `What has arrived? Missing: ${andList(missing)}.`;
  const buttons = points.map(({ text, ticked }, point) =>
    button(`${ticked === undefined ? '⬜' : '✅'} ${text}`, `request.tick#${point}`, {
      value: tickValue.write({ id, point, isTicked: ticked === undefined }),
    }),
  );
  return contentOf(title, [
    line({ bold: title }),
    actions(...buttons),
    note(isDone ? 'Later files go to the inbox.' : 'Click what has arrived. Click again to undo.'),
  ]);
}

/** What a request's card says about its checklist, and where its points are ticked off. */
export function checklistBlocks({ checklist, askedAgainAt }: TransferDetails): Blocks {
  if (checklist === undefined) return [];
  const { points } = checklist;
  const missing = missingPoints(checklist);
  if (missing.length === 0) return [line(`✅ ${completeText}`)];
  const arrived = points.flatMap(({ text, ticked }) => (ticked === undefined ? [] : [text]));
  return [
    line({ bold: `Missing: ${missing.length} of ${points.length}` }),
    list(missing.map((point) => [point])),
    ...(arrived.length === 0 ? [] : [line('Arrived: ', andList(arrived, points.length))]),
    ...(askedAgainAt === undefined ? [note(tickHint)] : []),
  ];
}

const tickHint = 'When files arrive, tick off what you have in the thread of this message.';

/** Like `checklistBlocks`, as plain text. */
export function checklistText({ checklist }: TransferDetails): string {
  if (checklist === undefined) return '';
  const missing = missingPoints(checklist);
  return missing.length === 0 ? ` ${completeText}` : ` Missing: ${andList(missing, missing.length)}.`;
}
