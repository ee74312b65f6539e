import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { encodeText } from './address.ts';
import { readBody } from './answers.ts';
import { type UploadedFile, uploadedFileView } from './entries.ts';
import { ExchangeError } from './errors.ts';
import { operations } from './operations.ts';
import type { CallOptions, Session } from './session.ts';
import { expectStatus, parseJson, unexpected } from './status.ts';

/** Lists the uploaded files and initialises the list on the service: without this call, nothing can be dispatched. */
export function listFiles(session: Session, options: CallOptions = {}): Promise<UploadedFile[]> {
  const operation = 'listFiles';
  return session.call(operation, options, async (token, signal) => {
    const answer = await session.request({ operation, signal }, token);
    const bytes = await readBody(answer, { bytes: session.limits.filesBytes, ms: session.limits.callMs });
    const text = bytes.toString();
    const { success, data } = z.array(uploadedFileView).safeParse(parseJson(text));
    // Decoding invalid UTF-8 would give a name with replacement characters, which no file has.
    if (success && isUtf8(bytes)) return data;
    throw unexpected(
      session,
      answer,
      'a list of files in UTF-8, each with its name',
      text.slice(0, session.limits.statusBytes),
    );
  });
}

export async function removeFile(session: Session, name: string, options: CallOptions = {}): Promise<void> {
  const operation = 'removeFile';
  if (name === '') throw new ExchangeError('invalid-input', "The file name can't be empty.", { operation });
  const path = `${operations[operation].path}?filename=${encodeText(name, 'file name')}`;
  return session.call(operation, options, async (token, signal) => {
    const answer = await session.request({ operation, path, signal }, token);
    await expectStatus(session, answer, 'deldone');
  });
}
