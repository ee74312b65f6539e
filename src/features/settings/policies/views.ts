import type { Piece } from '../../../slack/blocks.ts';
import { cutTo } from '../../../slack/limits.ts';
import type { Policies } from './fields.ts';

const typeTexts: Record<Policies['fileTypes'], string> = {
  any: 'File types: any',
  allow: 'File types: only ',
  block: 'File types: all except ',
};

/** The policies in the overview of the settings. */
export function policyLines({ fileTypes, extensions, maxFileMb, maxTotalMb, unscanned }: Policies): Piece[][] {
  const list = fileTypes === 'any' ? '' : cutTo(extensions.map((extension) => `.${extension}`).join(', '), 300);
  return [
    [`${typeTexts[fileTypes]}${list}`],
    [`Largest file: ${limitText(maxFileMb)}`],
    [`Largest transfer: ${limitText(maxTotalMb)}`],
    [`Files that can't be scanned: ${unscanned === 'block' ? 'blocked' : 'allowed and noted'}`],
  ];
}

const limitText = (megabytes: number | undefined) => (megabytes === undefined ? 'no limit' : `${megabytes} MB`);
