import { bounds } from '../../../lib/bounds.ts';
import { pointTooLong, requestTooLong, tooManyPoints } from '../errors.ts';
import type { RequestContent } from '../transfer.ts';

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

/** The message and the points as they were typed. The contacts get one text with both. */
export const typedRequest = ({ message, checklist }: Pick<RequestContent, 'message' | 'checklist'>) =>
  checklist ?? { message, points: [] };

/** Adds only bullets, no words: the message can be in any language. */
export function messageWithPoints(
  message: string,
  points: readonly string[],
): Pick<RequestContent, 'message' | 'checklist'> {
  if (points.length === 0) return { message };
  const list = points.map((point) => `- ${point}`).join('\n');
  const text = message === '' ? list : `${message}\n\n${list}`;
  if (text.length > bounds.requestChars) throw requestTooLong();
  return { message: text, checklist: { message, points: [...points] } };
}
