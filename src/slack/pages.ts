import type { Button } from '@slack/types';
import { actions, type Blocks, button, note } from './blocks.ts';

export const pageSize = 10;

export interface Page<T> {
  shown: readonly T[];
  /** From 0; the last one where there are fewer than was asked for. */
  page: number;
  pages: number;
}

export function pageOf<T>(things: readonly T[], wanted: number): Page<T> {
  const pages = Math.max(1, Math.ceil(things.length / pageSize));
  const page = Math.min(wanted, pages - 1);
  return { shown: things.slice(page * pageSize, (page + 1) * pageSize), page, pages };
}

/** Where one is, and the buttons to the pages before and after; nothing where there is one page. */
export function pager({ page, pages }: Pick<Page<unknown>, 'page' | 'pages'>, action: string): Blocks {
  if (pages === 1) return [];
  const to = (label: string, name: string, target: number): Button[] =>
    target < 0 || target >= pages
      ? []
      : [button(label, `${action}#${name}`, { value: String(target), says: `Page ${target + 1} of ${pages}` })];
  const turns = [...to('Previous page', 'previous', page - 1), ...to('Next page', 'next', page + 1)];
  return [actions(...turns), note(`Page ${(page + 1).toLocaleString('en')} of ${pages.toLocaleString('en')}`)];
}

/** The page that a button of the pager leads to. */
export function turnedTo(value: string): number {
  return /^\d{1,6}$/.test(value) ? Number(value) : 0;
}
