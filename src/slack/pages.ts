import type { Button } from '@slack/types';
import { actions, type Blocks, button, note } from './blocks.ts';

export const pageSize = 10;

export interface Page<T> {
  pageItems: readonly T[];
  /** From 0. The last page if the requested page doesn't exist. */
  page: number;
  pages: number;
}

export function pageOf<T>(items: readonly T[], requested: number): Page<T> {
  const pages = Math.max(1, Math.ceil(items.length / pageSize));
  const page = Math.min(requested, pages - 1);
  return { pageItems: items.slice(page * pageSize, (page + 1) * pageSize), page, pages };
}

/** The current page, with buttons to the previous and the next; empty if there is only one page. */
export function pager({ page, pages }: Pick<Page<unknown>, 'page' | 'pages'>, action: string): Blocks {
  if (pages === 1) return [];
  const pageButton = (label: string, name: string, target: number): Button[] =>
    target < 0 || target >= pages
      ? []
      : [
          button(label, `${action}#${name}`, {
            value: String(target),
            accessibilityLabel: `Page ${target + 1} of ${pages}`,
          }),
        ];
  const buttons = [...pageButton('Previous page', 'previous', page - 1), ...pageButton('Next page', 'next', page + 1)];
  return [actions(...buttons), note(`Page ${(page + 1).toLocaleString('en')} of ${pages.toLocaleString('en')}`)];
}

/** The target page of a pager button. */
export function targetPage(value: string): number {
  return /^\d{1,6}$/.test(value) ? Number(value) : 0;
}
