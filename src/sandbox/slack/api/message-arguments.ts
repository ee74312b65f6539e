import { asKept } from '../blocks.ts';
import { checkMessage } from '../check/index.ts';
import type { Json, Message } from '../model.ts';
import { type Arguments, structure, text } from './arguments.ts';
import { refuseProblem } from './refusal.ts';

export type Content = Pick<Message, 'text' | 'blocks' | 'attachments' | 'metadata'>;

export const contentArguments = ['text', 'blocks', 'attachments', 'metadata', 'markdown_text'] as const;

/** What a message says, checked as Slack checks it. */
export function messageContent(args: Arguments): Content {
  const given = {
    text: text(args, 'text'),
    blocks: structure(args, 'blocks', 'invalid_blocks_format'),
    attachments: structure(args, 'attachments', 'invalid_attachments'),
    metadata: structure(args, 'metadata', 'invalid_metadata_format'),
    markdown_text: text(args, 'markdown_text'),
  };
  return checkedContent(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
}

/** The same for content that came as JSON: an answer to a command, or to a response_url. */
export function checkedContent(given: Json): Content {
  const { blocks, attachments, metadata, markdown_text: markdown } = given;
  refuseProblem(checkMessage(given));
  // Empty lists stand for no list, and are what takes blocks away from a message.
  return {
    text: typeof given.text === 'string' ? given.text : typeof markdown === 'string' ? markdown : '',
    ...(Array.isArray(blocks) && { blocks: asKept(blocks) }),
    ...(Array.isArray(attachments) && {
      attachments: attachments.map((attachment: Json, index) => ({ id: index + 1, ...attachment })),
    }),
    ...(typeof metadata === 'object' && metadata !== null && { metadata: metadata as Json }),
  };
}
