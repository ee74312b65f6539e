import { limits } from '../limits.ts';
import type { Check, Surface } from '../path.ts';
import { richTextShape } from '../rich-text.ts';
import { byType, list, unsupported } from '../shapes.ts';
import { contextActions, plan, taskCard } from './agents.ts';
import * as basic from './basic.ts';
import { block } from './block.ts';
import { alert, card, carousel, container } from './cards.ts';
import { dataTable, table } from './tables.ts';

const commonBlocks: Record<string, Check> = {
  section: basic.section,
  header: basic.header,
  divider: basic.divider,
  context: basic.context,
  actions: basic.actions,
  image: basic.imageBlock,
  rich_text: block(richTextShape),
  card,
  // Remote file blocks can't be sent at all; a video needs a scope and an allowed host.
  file: unsupported('file'),
  video: unsupported('video'),
};

const { card: _, ...withoutCard } = commonBlocks;

/**
 * As in Slack's table of blocks, except that input blocks, which Slack also accepts in messages, are only for views
 * here.
 */
const blocksBySurface: Record<Surface, Record<string, Check>> = {
  message: {
    ...commonBlocks,
    markdown: basic.markdown,
    table,
    data_table: dataTable,
    carousel,
    container: container(byType({ ...withoutCard, table })),
    context_actions: contextActions,
    task_card: taskCard,
    plan,
  },
  modal: { ...commonBlocks, input: basic.input, alert },
  home: { ...commonBlocks, input: basic.input, carousel },
};

export const blockLists: Record<Surface, Check> = {
  message: list(byType(blocksBySurface.message), { max: limits.message.blocks }),
  modal: list(byType(blocksBySurface.modal), { max: limits.view.blocks }),
  home: list(byType(blocksBySurface.home), { max: limits.view.blocks }),
};
