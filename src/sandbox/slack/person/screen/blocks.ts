import { linksIn, textOf } from '../../client/markup.ts';
import { elementsOf } from '../../state/blocks.ts';
import type { Block, Json, Team, View } from '../../state/model.ts';
import { drawElement, type RenderContext } from './elements.ts';
import { drawRichText } from './rich-text.ts';
import type { Control, ScreenBuilder } from './screen.ts';

/** Renders blocks as a person sees them, with errors below their fields. */
export function drawBlocks(
  builder: ScreenBuilder,
  context: RenderContext,
  blocks: readonly Block[],
  errors: View['errors'] = {},
): void {
  for (const block of blocks) {
    builder.startBlock();
    drawBlock(builder, context, block, errors);
  }
}

function drawBlock(builder: ScreenBuilder, context: RenderContext, block: Block, errors: View['errors']): void {
  const { team } = context;
  const write = (value: unknown) => writeText(builder, team, value);
  switch (block.type) {
    case 'header':
      write(block.text);
      break;
    case 'divider':
      builder.write('---');
      break;
    case 'context':
      writeAll(builder, team, block.elements);
      break;
    case 'section':
      write(block.text);
      for (const field of list(block.fields)) write(field);
      drawElements(builder, context, block);
      break;
    case 'actions':
      drawElements(builder, context, block);
      break;
    case 'input':
      drawInput(builder, context, block, errors[block.block_id]);
      break;
    case 'rich_text':
      builder.write(drawRichText(team, block));
      break;
  }
}

function writeText(builder: ScreenBuilder, team: Team, value: unknown): void {
  const text = textOf(team, value);
  if (text !== '') builder.write(text, linksIn(value).map(linkControl));
}

function linkControl({ label, url }: { label: string; url: string }): Control {
  return { kind: 'link', label, url };
}

function writeAll(builder: ScreenBuilder, team: Team, elements: unknown): void {
  const parts = list(elements);
  const text = parts.map((part) => textOf(team, part));
  builder.write(text.join(' '), parts.flatMap(linksIn).map(linkControl));
}

function drawElements(builder: ScreenBuilder, context: RenderContext, block: Block): void {
  const sectionText = block.type === 'section' ? textOf(context.team, block.text) : undefined;
  const rendered = elementsOf(block).map((element) => {
    const { text, controls } = drawElement(context, block.block_id, element);
    // Beside a section, a field without a label uses the section's text.
    const labelled = controls.map((control) =>
      control.kind === 'field' && control.label === '' ? { ...control, label: sectionText ?? '' } : control,
    );
    return { text, controls: labelled };
  });
  if (rendered.length === 0) return;
  builder.write(
    rendered.map(({ text }) => text).join(' '),
    rendered.flatMap(({ controls }) => controls),
  );
}

function drawInput(builder: ScreenBuilder, context: RenderContext, block: Block, error: string | undefined): void {
  const [element] = elementsOf(block);
  if (!element) return;
  const label = textOf(context.team, block.label);
  const { text, controls } = drawElement(context, block.block_id, element, label);
  builder.write(`${label}${block.optional === true ? ' (optional)' : ''}: ${text}`, controls);
  const hint = textOf(context.team, block.hint);
  if (hint !== '') builder.write(`  ${hint}`);
  if (error !== undefined) builder.write(`  ⚠ ${error}`);
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}
