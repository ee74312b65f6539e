import type { ElementRef, Json } from '../model.ts';

/** Something on the screen that a person can use. */
export interface Control {
  kind: 'button' | 'menu item' | 'choice' | 'field' | 'link' | 'submit' | 'close' | 'confirm' | 'deny';
  label: string;
  /** What a screen reader says instead. */
  spoken?: string;
  ref?: ElementRef;
  /** Of a menu item or a choice. */
  option?: Json;
  url?: string;
}

export interface Line {
  text: string;
  controls: Control[];
  /** The message or view it belongs to, and which block of it, counted over the whole screen. */
  item: string;
  block: number;
}

/** What somebody sees, from top to bottom. */
export interface Screen {
  lines: Line[];
}

/** A sheet that is written from top to bottom. */
export function createSheet() {
  const lines: Line[] = [];
  let item = '';
  let block = 0;
  let indent = 0;
  return {
    lines,
    startItem(name: string, indentation = 0) {
      item = name;
      indent = indentation;
      block++;
    },
    startBlock() {
      block++;
    },
    /** Text of several lines stays together as one block. */
    write(text: string, controls: Control[] = []) {
      const rows = text.split('\n');
      for (const [index, row] of rows.entries()) {
        lines.push({ text: `${'  '.repeat(indent)}${row}`, controls: index === 0 ? controls : [], item, block });
      }
    },
  };
}

export type Sheet = ReturnType<typeof createSheet>;

export function screenText({ lines }: Screen): string {
  return lines.map(({ text }) => text).join('\n');
}
