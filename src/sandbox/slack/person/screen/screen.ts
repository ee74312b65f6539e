import type { ElementRef, Json } from '../../state/model.ts';

/** A control that a person can use. */
export interface Control {
  kind: 'button' | 'menu item' | 'choice' | 'field' | 'link' | 'submit' | 'close' | 'confirm' | 'deny';
  label: string;
  /** The accessible name, if it differs. */
  accessibleName?: string;
  ref?: ElementRef;
  /** For a menu item or a choice. */
  option?: Json;
  url?: string;
}

export interface Line {
  text: string;
  controls: Control[];
  /** The message or view, and the number of the block on the whole screen. */
  item: string;
  block: number;
}

/** What a person sees, from top to bottom. */
export interface Screen {
  lines: Line[];
}

/** Collects the lines of a screen. */
export function createScreenBuilder() {
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
    /** A text of several lines stays in one block. */
    write(text: string, controls: Control[] = []) {
      const rows = text.split('\n');
      for (const [index, row] of rows.entries()) {
        lines.push({ text: `${'  '.repeat(indent)}${row}`, controls: index === 0 ? controls : [], item, block });
      }
    },
  };
}

export type ScreenBuilder = ReturnType<typeof createScreenBuilder>;

export function screenText({ lines }: Screen): string {
  return lines.map(({ text }) => text).join('\n');
}
