import { limits } from '../limits.ts';
import type { Check, Surface } from '../path.ts';
import { richTextShape } from '../rich-text.ts';
import { byType, list } from '../shapes.ts';
import * as basic from './basic.ts';
import { block } from './block.ts';

/** The blocks that the bot uses. Slack has more; the others are refused like a misspelt type. */
const messageBlocks: Record<string, Check> = {
  section: basic.section,
  header: basic.header,
  divider: basic.divider,
  context: basic.context,
  actions: basic.actions,
  rich_text: block(richTextShape),
};

/** Slack also accepts inputs in messages; here they are only for views. */
const viewBlocks = { ...messageBlocks, input: basic.input };

export const blockLists: Record<Surface, Check> = {
  message: list(byType(messageBlocks), { max: limits.message.blocks }),
  modal: list(byType(viewBlocks), { max: limits.view.blocks }),
  home: list(byType(viewBlocks), { max: limits.view.blocks }),
};
