import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { bounds } from '../lib/bounds.ts';

/** Encrypts text at rest. Text that is encrypted for one context can't be decrypted in another. */
export interface Cipher {
  /**
   * `context` identifies the row that holds the text. It is authenticated, so text copied to another row is rejected.
   * Throws a ValueTooLargeError if the text is larger than `maxBytes`.
   */
  encrypt(context: string, text: string, maxBytes?: number): string;
  decrypt(context: string, encrypted: string): string;
  /** Whether the text was encrypted with the current key. If not, it must be re-encrypted after a key rotation. */
  isCurrent(encrypted: string): boolean;
}

/** The text can't be decrypted in this context: it was altered, moved, or encrypted with a key that is gone. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';
}

/**
 * Every limit that people or a service can reach is checked earlier, with a message. This one protects the database.
 */
export class ValueTooLargeError extends Error {
  override readonly name = 'ValueTooLargeError';
}

const version = 's1';
const ivBytes = 12;
const tagBytes = 16;

/** @param keys 32 bytes each; the first encrypts, all of them decrypt */
export function createCipher(keys: readonly Buffer[]): Cipher {
  const keysByName = new Map(keys.map((key) => [nameOf(key), key]));
  const [current] = keys;
  if (current === undefined || keys.some((key) => key.length !== 32))
    throw new Error('a cipher needs keys of 32 bytes');
  const prefix = `${version}.${nameOf(current)}.`;
  return {
    encrypt(context, text, maxBytes = bounds.storedBytes) {
      const bytes = Buffer.byteLength(text);
      if (bytes > maxBytes)
        throw new ValueTooLargeError(`${context.split(':', 1)}: ${bytes} bytes, more than ${maxBytes}`);
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', current, iv).setAAD(Buffer.from(context));
      const parts = [iv, cipher.update(text, 'utf8'), cipher.final()];
      return prefix + Buffer.concat([...parts, cipher.getAuthTag()]).toString('base64url');
    },
    decrypt(context, encrypted) {
      const [textVersion, name = '', body = ''] = encrypted.split('.');
      const key = keysByName.get(name);
      if (textVersion !== version) throw new DecryptionError(`${context}: not an encrypted text`);
      if (key === undefined)
        throw new DecryptionError(`${context}: encrypted with a key that SECRET_KEY does not contain`);
      const bytes = Buffer.from(body, 'base64url');
      if (bytes.length < ivBytes + tagBytes || bytes.toString('base64url') !== body)
        throw new DecryptionError(`${context}: the encrypted text is damaged`);
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(-tagBytes));
        return decipher.update(bytes.subarray(ivBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        throw new DecryptionError(`${context}: the encrypted text was altered or belongs to another row`);
      }
    },
    isCurrent: (encrypted) => encrypted.startsWith(prefix),
  };
}

/** A short identifier of a key, stored with each text. It reveals nothing about the key. */
function nameOf(key: Buffer): string {
  return createHash('sha256').update('dropline key name').update(key).digest('base64url').slice(0, 8);
}
