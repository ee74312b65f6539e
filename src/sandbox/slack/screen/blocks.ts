import { elementsOf } from '../blocks.ts';
import type { Block, Json, Team, View } from '../model.ts';
import { drawElement, type Setting } from './elements.ts';
import { drawRichText } from './rich-text.ts';
import type { Control, Sheet } from './screen.ts';
import { linksIn, rendered, textOf } from './words.ts';

/** Renders blocks as a person sees them, with errors below their fields. */
export function drawBlocks(
  sheet: Sheet,
  setting: Setting,
  blocks: readonly Block[],
  errors: View['errors'] = {},
): void {
  for (const block of blocks) {
    sheet.startBlock();
    drawBlock(sheet, setting, block, errors);
  }
}

function drawBlock(sheet: Sheet, setting: Setting, block: Block, errors: View['errors']): void {
  const { team } = setting;
  const write = (value: unknown) => writeText(sheet, team, value);
  switch (block.type) {
    case 'header':
    case 'alert':
      write(block.text);
      break;
    case 'divider':
      sheet.write('---');
      break;
    case 'markdown':
      sheet.write(String(block.text));
      break;
    case 'image':
      write(block.title);
      sheet.write(`(image: ${block.alt_text})`);
      break;
    case 'context':
      writeAll(sheet, team, block.elements);
      break;
    case 'section':
      write(block.text);
      for (const field of list(block.fields)) write(field);
      drawElements(sheet, setting, block);
      break;
    case 'actions':
    case 'context_actions':
      drawElements(sheet, setting, block);
      break;
    case 'input':
      drawInput(sheet, setting, block, errors[block.block_id]);
      break;
    case 'rich_text':
      sheet.write(drawRichText(team, block));
      break;
    case 'table':
    case 'data_table':
      drawTable(sheet, team, block);
      break;
    default:
      drawCompound(sheet, setting, block, errors);
  }
}

/** Blocks with nested blocks or several texts. */
function drawCompound(sheet: Sheet, setting: Setting, block: Block, errors: View['errors']): void {
  for (const part of ['title', 'rich_text_title', 'subtitle', 'body', 'details', 'output']) {
    writeText(sheet, setting.team, block[part]);
  }
  drawElements(sheet, setting, block);
  for (const inner of ['child_blocks', 'elements', 'tasks']) {
    drawBlocks(sheet, setting, list(block[inner]) as Block[], errors);
  }
}

function writeText(sheet: Sheet, team: Team, value: unknown): void {
  const rich = (value as Json | undefined)?.type === 'rich_text';
  const words = typeof value === 'string' ? value : rich ? drawRichText(team, value as Json) : textOf(team, value);
  if (words !== '') sheet.write(words, linksIn(value).map(asLink));
}

function asLink({ label, url }: { label: string; url: string }): Control {
  return { kind: 'link', label, url };
}

function writeAll(sheet: Sheet, team: Team, elements: unknown): void {
  const parts = list(elements);
  const words = parts.map((part) => (part.type === 'image' ? `(image: ${part.alt_text})` : textOf(team, part)));
  sheet.write(words.join(' '), parts.flatMap(linksIn).map(asLink));
}

function drawElements(sheet: Sheet, setting: Setting, block: Block): void {
  const beside = block.type === 'section' ? textOf(setting.team, block.text) : undefined;
  const drawn = elementsOf(block).map((element) => {
    const { text, controls } = drawElement(setting, block.block_id, element);
    // Beside a section, a field without a label uses the section's text.
    const named = controls.map((control) =>
      control.kind === 'field' && control.label === '' ? { ...control, label: beside ?? '' } : control,
    );
    return { text, controls: named };
  });
  if (drawn.length === 0) return;
  sheet.write(
    drawn.map(({ text }) => text).join(' '),
    drawn.flatMap(({ controls }) => controls),
  );
}

function drawInput(sheet: Sheet, setting: Setting, block: Block, error: string | undefined): void {
  const [element] = elementsOf(block);
  if (!element) return;
  const label = textOf(setting.team, block.label);
  const { text, controls } = drawElement(setting, block.block_id, element, label);
  sheet.write(`${label}${block.optional === true ? ' (optional)' : ''}: ${text}`, controls);
  const hint = textOf(setting.team, block.hint);
  if (hint !== '') sheet.write(`  ${hint}`);
  if (error !== undefined) sheet.write(`  ⚠ ${error}`);
}

function drawTable(sheet: Sheet, team: Team, block: Block): void {
  if (typeof block.caption === 'string') sheet.write(block.caption);
  const rows: unknown[] = Array.isArray(block.rows) ? block.rows : [];
  for (const row of rows)
    sheet.write(
      list(row)
        .map((cell) => cellWords(team, cell))
        .join(' | '),
    );
}

function cellWords(team: Team, cell: Json): string {
  if (cell.type === 'rich_text') return drawRichText(team, cell);
  return rendered(team, String(cell.text ?? cell.value ?? ''));
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}
