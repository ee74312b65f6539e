import type { Button } from '@slack/types';
import { actions, type Blocks, button, note } from './blocks.ts';

export const pageSize = 10;

export interface Page<T> {
  shown: readonly T[];
  /** From 0; the last page if there are fewer than requested. */
  page: number;
  pages: number;
}

export function pageOf<T>(things: readonly T[], wanted: number): Page<T> {
  const pages = Math.max(1, Math.ceil(things.length / pageSize));
  const page = Math.min(wanted, pages - 1);
  return { shown: things.slice(page * pageSize, (page + 1) * pageSize), page, pages };
}

/** The current page, with buttons to the previous and the next; empty if there is only one page. */
export function pager({ page, pages }: Pick<Page<unknown>, 'page' | 'pages'>, action: string): Blocks {
  if (pages === 1) return [];
  const to = (label: string, name: string, target: number): Button[] =>
    target < 0 || target >= pages
      ? []
      : [button(label, `${action}#${name}`, { value: String(target), says: `Page ${target + 1} of ${pages}` })];
  const turns = [...to('Previous page', 'previous', page - 1), ...to('Next page', 'next', page + 1)];
  return [actions(...turns), note(`Page ${(page + 1).toLocaleString('en')} of ${pages.toLocaleString('en')}`)];
}

/** The target page of a pager button. */
export function turnedTo(value: string): number {
  return /^\d{1,6}$/.test(value) ? Number(value) : 0;
}
