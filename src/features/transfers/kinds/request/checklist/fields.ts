import { bounds } from '../../../../../bounds.ts';
import { pointTooLong, requestTooLong, tooManyPoints } from '../../../errors.ts';
import type { Checklist, TransferDetails } from '../../../repository.ts';

/** One point per line. Bullets that were pasted with the text are removed, and so are repeated points. */
export function readPoints(text: string): string[] {
  const lines = text
    .split(/[\n\r\u2028\u2029]/)
    .map((line) => withoutBullet(line.replace(/[\s\p{Cc}]+/gu, ' ').trim()));
  const points = [...new Set(lines.filter((line) => line !== ''))];
  if (points.length > bounds.points) throw tooManyPoints(points.length);
  const tooLong = points.find((point) => point.length > bounds.pointChars);
  if (tooLong !== undefined) throw pointTooLong(tooLong.slice(0, 30));
  return points;
}

const withoutBullet = (line: string) => line.replace(/^(?:[-*•–]\s+)+/, '');

export const missingPoints = ({ points }: Checklist): string[] =>
  points.filter(({ ticked }) => ticked === undefined).map(({ text }) => text);

export const isComplete = (checklist: Checklist | undefined): boolean =>
  checklist !== undefined && missingPoints(checklist).length === 0;

/** The message and the points as they were typed. The contacts get one text with both. */
export function typedRequest({ message, checklist }: Pick<TransferDetails, 'message' | 'checklist'>) {
  return { message: checklist?.message ?? message, points: checklist?.points.map(({ text }) => text) ?? [] };
}

/** Adds only bullets, no words: the message can be in any language. */
export function requestDetails(
  message: string,
  points: readonly string[],
): Pick<TransferDetails, 'message' | 'checklist'> {
  if (points.length === 0) return { message };
  const list = points.map((point) => `- ${point}`).join('\n');
  const text = message === '' ? list : `${message}\n\n${list}`;
  if (text.length > bounds.requestChars) throw requestTooLong();
  return { message: text, checklist: { message, points: points.map((point) => ({ text: point })) } };
}
