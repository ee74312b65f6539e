import { verify } from 'node:crypto';
import { z } from 'zod';
import { stored } from './stored-formats.ts';

const person = z.object({ id: z.string(), name: z.string() });
const file = z.object({ name: z.string(), size: z.number().optional(), sha256: z.string().optional() });

/** An audit entry, with its place in the chain. Times are in ISO 8601. */
const entry = z.object({
  number: z.number(),
  hash: z.string(),
  action: z.string(),
  outcome: z.string(),
  by: person,
  at: z.string(),
  /** When the transfer was confirmed, and who approved it. */
  confirmedAt: z.string().optional(),
  approvedBy: person.optional(),
  approvedAt: z.string().optional(),
  /** The account that sent the files, or the sender of received ones. */
  from: z.string().optional(),
  /** What people called the account, where the workspace had several. */
  desk: z.string().optional(),
  to: z.array(z.string()).optional(),
  files: z.array(file),
  /** How the service's history differs from what was confirmed. */
  difference: z.string().optional(),
});
export type ReceiptEntry = z.infer<typeof entry>;

/** What a receipt says. */
const receipt = stored(
  'receipt',
  z.object({
    format: z.literal(1),
    workspace: z.string(),
    account: z.string(),
    issuedAt: z.string(),
    doesNotProve: z.string(),
    entries: z.array(entry),
  }),
);
export type Receipt = z.infer<typeof receipt>;

/** The public keys of a deployment, as it publishes them. `publicKey`: Ed25519, in PEM. */
export const publicKeys = z.object({
  keys: z.array(z.object({ id: z.string(), publicKey: z.string(), since: z.string() })),
});
export type PublicKeys = z.infer<typeof publicKeys>['keys'];

export interface Signature {
  key: string;
  /** Base64. */
  signature: string;
}

/** The signed bytes: all lines of the file except the first and the last, so that a shell can cut them out. */
export const signedTextOf = (receipt: unknown): string => `${JSON.stringify(receipt, null, 2)}\n`;

export const receiptFile = (receipt: unknown, { key, signature }: Signature): string =>
  `{"receipt":\n${signedTextOf(receipt)},"key":${JSON.stringify(key)},"signature":${JSON.stringify(signature)}}\n`;

const signedFile = z.object({ receipt: z.unknown(), key: z.string(), signature: z.string() });

/** The receipt in a file, if one of the keys has signed it; otherwise what is wrong with it. */
export function readReceipt(text: string, keys: PublicKeys): { receipt: Receipt; key: string } | { problem: string } {
  let file: z.infer<typeof signedFile>;
  try {
    file = signedFile.parse(JSON.parse(text));
  } catch {
    return { problem: 'this is no receipt' };
  }
  // Written in another way, the same JSON could say something else to its readers than to this check.
  if (receiptFile(file.receipt, file) !== text.replaceAll('\r\n', '\n').trimEnd().concat('\n'))
    return { problem: 'the file was changed' };
  const known = keys.find(({ id }) => id === file.key);
  if (known === undefined)
    return { problem: `it is signed with the key ${JSON.stringify(file.key)}, which isn't known` };
  const signature = Buffer.from(file.signature, 'base64');
  if (!verify(null, Buffer.from(signedTextOf(file.receipt)), known.publicKey, signature))
    return { problem: 'the signature is wrong: the receipt was changed, or someone else has signed it' };
  const { data } = receipt.safeParse(file.receipt);
  return data === undefined ? { problem: 'it has another format' } : { receipt: data, key: known.id };
}
