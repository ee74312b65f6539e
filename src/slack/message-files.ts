import { bounds } from '../lib/bounds.ts';

export interface MessageFile {
  id: string;
  name: string | null;
}

/** The files of a message and of the messages that it forwards. */
export const filesOfMessage = (message: Record<string, unknown>): MessageFile[] =>
  unique([...filesIn(message), ...forwardedFiles(message)]);

/** The files of the messages that a message forwards. They aren't among its own. */
export function forwardedFiles({ attachments }: Record<string, unknown>): MessageFile[] {
  return unique(Array.isArray(attachments) ? attachments.flatMap(filesIn) : []);
}

function filesIn(part: { files?: unknown } | null): MessageFile[] {
  const files: { id?: unknown; name?: unknown }[] = Array.isArray(part?.files) ? part.files : [];
  return files.flatMap((file) =>
    typeof file?.id === 'string' ? [{ id: file.id, name: typeof file.name === 'string' ? file.name : null }] : [],
  );
}

const unique = (files: readonly MessageFile[]): MessageFile[] =>
  [...new Map(files.map((file) => [file.id, file])).values()].slice(0, bounds.messageFiles);
