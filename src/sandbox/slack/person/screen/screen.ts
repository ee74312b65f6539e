import type { ElementRef, Json } from '../../state/model.ts';

/** A control that a person can use. */
export interface Control {
  kind: 'button' | 'menu item' | 'choice' | 'field' | 'link' | 'submit' | 'close' | 'confirm' | 'deny';
  label: string;
  /** The `accessibility_label`, if the element has one. */
  accessibleName?: string;
  ref?: ElementRef;
  /** For a menu item or a choice. */
  option?: Json;
  url?: string;
}

export interface Line {
  text: string;
  controls: Control[];
  /** The part of the screen that the line belongs to, for example a message or a view. */
  item: string;
  /** The number of the block on the whole screen. */
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
    /** Adds a line for each line of the text, all in the same block. */
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
