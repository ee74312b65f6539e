import { z } from 'zod';
import { encodeText } from './address.ts';
import { changedFormat, readBody, refusal } from './answers.ts';
import { type UploadedFile, uploadedFileView } from './entries.ts';
import { ExchangeError } from './errors.ts';
import { operations } from './operations.ts';
import type { CallOptions, Session } from './session.ts';
import { expectStatus, parseJson, sayingOf, statusWord } from './status.ts';
import { wordsOf } from './words.ts';

/** Lists what is uploaded, and initialises the list on the service: without this call nothing can be dispatched. */
export function listFiles(session: Session, options: CallOptions = {}): Promise<UploadedFile[]> {
  const operation = 'listFiles';
  return session.call(operation, options, async (token, signal) => {
    const redact = session.redact;
    const answer = await session.ask({ operation, signal }, token);
    const text = (await readBody(answer, session.limits.listBytes)).toString();
    const { success, data } = z.array(uploadedFileView).safeParse(parseJson(text));
    if (success) return data;
    if (statusWord(text) !== undefined) throw refusal(answer, sayingOf(text), redact);
    throw changedFormat(operation, 'a list of files, each with its name', wordsOf(text), redact);
  });
}

export async function removeFile(session: Session, name: string, options: CallOptions = {}): Promise<void> {
  const operation = 'removeFile';
  if (name === '') throw new ExchangeError('invalid-input', 'The file name must not be empty.', { operation });
  const path = `${operations[operation].path}?filename=${encodeText(name, 'file name')}`;
  return session.call(operation, options, async (token, signal) => {
    const answer = await session.ask({ operation, path, signal }, token);
    await expectStatus(answer, 'deldone', session.limits, session.redact);
  });
}
