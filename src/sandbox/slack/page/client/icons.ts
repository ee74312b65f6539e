import { h, type VNode } from './dom.ts';

const shapes = {
  hash: 'M6.5 3 5 17M13 3l-1.5 14M3 7.5h14M2.5 12.5h14',
  lock: 'M5 9h10v8H5zM7 9V6a3 3 0 0 1 6 0v3',
  plus: 'M10 4v12M4 10h12',
  clip: 'm15 9-5.5 5.5a3 3 0 0 1-4.2-4.2L11 4.6a2 2 0 0 1 2.9 2.9l-5.6 5.6a.9.9 0 0 1-1.3-1.3L12 7',
  bolt: 'M11 2 4 11.5h5L8.5 18 16 8h-5.5z',
  send: 'M3 10 17 3l-4 14-3.5-5.5zM9.5 11.5 17 3',
  more: 'M10 4.5v.01M10 10v.01M10 15.5v.01',
  reply: 'M4 4h12v9H9l-4 3v-3H4z',
  close: 'm5 5 10 10M15 5 5 15',
  back: 'M12 4 6 10l6 6',
  file: 'M5 2.5h6.5L15 6v11.5H5zM11 3v4h4',
  eye: 'M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5zM10 8a2 2 0 1 1 0 4 2 2 0 0 1 0-4z',
  globe:
    'M10 2.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15zM2.5 10h15M10 2.5c5 4.5 5 10.500 0 15M10 2.5c-5 4.5-5 10.500 0 15',
  menu: 'M3 5h14M3 10h14M3 15h14',
  down: 'm5 8 5 5 5-5',
  mail: 'M3 5h14v10H3zM3 6l7 5 7-5',
  copy: 'M7 7h9v10H7zM4 13V3h9',
  check: 'm4 10.500 4 4L16 6',
} as const;

export type IconName = keyof typeof shapes;

/** Decorative: the element that contains it has its own label. */
export function icon(name: IconName): VNode {
  const path = h('path', { d: shapes[name] });
  return h('svg', { viewBox: '0 0 20 20', class: 'icon', 'aria-hidden': 'true' }, path);
}
