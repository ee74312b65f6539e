import { escapedText } from './escaped-text.ts';
import { shortId } from './ids.ts';
import type { Block, Json } from './model.ts';

/** An interactive element. */
export type Element = Json & { type: string; action_id: string };

/** Blocks as Slack stores them: with generated ids where none were sent, and with the defaults that Slack adds. */
export function normalizeBlocks(blocks: readonly Json[]): Block[] {
  return (withTextDefaults(blocks) as Json[]).map((block) => {
    if (typeof block.block_id !== 'string' || block.block_id === '') block.block_id = shortId();
    if (block.type === 'input') block.dispatch_action ??= false;
    for (const element of rawElements(block)) {
      if (typeof element.action_id !== 'string') element.action_id = shortId();
    }
    return block as Block;
  });
}

/** The JSON of each block that Slack changed when it stored it, both as stored and with escaped plain text. */
export function completedBlocks(sent: readonly Json[], stored: readonly Block[]): Set<string> {
  const completed = stored.filter((block, index) => JSON.stringify(block) !== JSON.stringify(sent[index]));
  return new Set(completed.flatMap((block) => [block, escapePlainText(block)]).map((block) => JSON.stringify(block)));
}

/** A copy with the defaults of every text object, which Slack returns even if the bot didn't send them. */
export function withTextDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTextDefaults);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withTextDefaults(inner)]));
  if (copy.type === 'plain_text') return { ...copy, emoji: copy.emoji ?? true };
  if (copy.type === 'mrkdwn') return { ...copy, verbatim: copy.verbatim ?? false };
  return copy;
}

/** A copy as Slack returns it to the bot: with escaped plain text. */
export function escapePlainText<T>(value: T): T {
  return escapeDeep(value) as T;
}

function escapeDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(escapeDeep);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Json = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, escapeDeep(inner)]));
  if (copy.type === 'plain_text' && typeof copy.text === 'string') copy.text = escapedText(copy.text);
  return copy;
}

export function elementsOf(block: Block): Element[] {
  return rawElements(block) as Element[];
}

export function findElement(
  blocks: readonly Block[],
  blockId: string,
  actionId: string,
): { block: Block; element: Element } | undefined {
  for (const block of blocks) {
    if (block.block_id !== blockId) continue;
    const element = elementsOf(block).find(({ action_id }) => action_id === actionId);
    if (element) return { block, element };
  }
  return undefined;
}

function rawElements(block: Json): Json[] {
  switch (block.type) {
    case 'section':
      return objects([block.accessory]);
    case 'input':
      return objects([block.element]);
    case 'actions':
      return objects(block.elements);
    default:
      return [];
  }
}

function objects(value: unknown): Json[] {
  const list: unknown[] = Array.isArray(value) ? value : [];
  return list.filter((item): item is Json => typeof item === 'object' && item !== null);
}
