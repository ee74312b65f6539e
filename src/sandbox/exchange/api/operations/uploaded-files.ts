import type { Answer } from '../../http/answer.ts';
import { humanSize } from '../../state/names.ts';
import { Refusal } from '../../state/refusal.ts';
import { jsonReply, statusReply } from '../replies.ts';
import type { ApiRequest } from '../request.ts';

/**
 * Lists the uploads and initialises the list of files for the next dispatch. From then on all uploads can be sent,
 * earlier and later ones, until a dispatch clears them.
 */
export function getFiles({ account }: ApiRequest): Answer {
  account.filesInitialised = true;
  return jsonReply(account.uploads.map(({ name, type, bytes }) => ({ name, type, size: humanSize(bytes) })));
}

export async function removeFile({ world, account, query }: ApiRequest): Promise<Answer> {
  const name = fileNameIn(query);
  const file = account.uploads.find((file) => file.name === name);
  if (!file) throw new Refusal(404, 'there is no uploaded file of this name');
  account.uploads = account.uploads.filter((other) => other !== file);
  await world.files.release(file.sha256);
  return statusReply('deldone', world.behaviour);
}

/** Decoded by hand: URLSearchParams accepts malformed encoding. */
function fileNameIn(query: string): string {
  const values = query
    .split('&')
    .filter((pair) => pair.startsWith('filename='))
    .map((pair) => pair.slice('filename='.length));
  if (values.length !== 1 || !values[0]) throw new Refusal(400, 'one parameter "filename" is needed');
  try {
    return decodeURIComponent(values[0].replaceAll('+', ' '));
  } catch {
    throw new Refusal(400, 'the parameter "filename" is not encoded correctly');
  }
}
