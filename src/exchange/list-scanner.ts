import { isUtf8 } from 'node:buffer';
import { createHash, type Hash } from 'node:crypto';

export interface ListVisitor {
  /** The raw JSON text of one element of a wanted list. */
  element(list: string, json: string, index: number): void;
  /** The raw JSON text of each other top-level value whose key `wants` accepts. */
  value?(key: string, json: string): void;
  wants?(key: string): boolean;
}

export interface ScannerLimits {
  /** Maximum raw size of one element or wanted value; more is an error. */
  entryBytes?: number;
  /** Maximum raw size of one string in an element or value; the rest of a longer string is replaced by a digest. */
  textBytes?: number;
}

/** The bytes aren't a JSON object in UTF-8, or they contain a wanted key twice or an entry over the limit. */
export class ListSyntaxError extends Error {
  override readonly name = 'ListSyntaxError';
}

type Expecting =
  | 'object'
  | 'first-key'
  | 'key'
  | 'colon'
  | 'value'
  | 'first-element'
  | 'element'
  | 'comma'
  | 'list-comma'
  | 'nothing';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const byteOrderMark = [0xef, 0xbb, 0xbf];
const longestEscape = 6;
/** A buffer up to this size is reused for the next entry. */
const maxReusedBytes = 64 * 1024;

/**
 * Streaming scanner for a JSON object. Passes the elements of wanted top-level lists to the visitor, one by one, as raw
 * text. Everything else is skipped without being parsed or stored, so an inbox of three items needs the same memory
 * whether the history has ten dispatches or a million.
 *
 * For skipped values, it only looks for the end. The visitor parses the wanted ones.
 */
export class ListScanner {
  /** The wanted lists that were present, empty or not. */
  readonly foundLists = new Set<string>();
  /** The wanted keys that were present, including those whose value isn't a list. */
  readonly #seenKeys = new Set<string>();
  readonly #wanted: ReadonlySet<string>;
  readonly #visitor: ListVisitor;
  readonly #maxEntryBytes: number;
  readonly #maxTextBytes: number;
  #expecting: Expecting = 'object';
  #key = '';
  #index = 0;
  #offset = 0;

  // The value that is being read: the nesting depth, and whether it is wanted.
  #inside: 'no' | 'scalar' | 'string' | 'container' = 'no';
  #depth = 0;
  #inString = false;
  #escaped = false;
  #isValueWanted = false;
  #valueBytes = 0;
  // The value's bytes from earlier chunks, the start of its part in this chunk, the size of the current string so far,
  // and a hash of the bytes over the limit. One buffer, because a service can send every byte as a separate chunk.
  #buffer = Buffer.alloc(0);
  #bufferedBytes = 0;
  #from = 0;
  #textBytes = 0;
  #overflowHash: Hash | undefined;

  constructor(wanted: readonly string[], visitor: ListVisitor, { entryBytes, textBytes }: ScannerLimits = {}) {
    this.#wanted = new Set(wanted);
    this.#visitor = visitor;
    this.#maxEntryBytes = entryBytes ?? Number.POSITIVE_INFINITY;
    this.#maxTextBytes = textBytes ?? Number.POSITIVE_INFINITY;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      at = this.#inside === 'no' ? this.#readOutsideValues(chunk, at) : this.#readValue(chunk, at);
    }
    this.#offset += chunk.length;
  }

  /** Must be called after the last chunk. Throws if the object is incomplete. */
  end(): void {
    if (this.#expecting !== 'nothing') throw new ListSyntaxError('it is incomplete');
  }

  /** Handles the byte at `at`, which is outside any value, and returns the next position. */
  #readOutsideValues(chunk: Buffer, at: number): number {
    const byte = chunk[at] as number;
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return at + 1;
    switch (this.#expecting) {
      case 'object':
        if (byte === openBrace) return this.#expect('first-key', at);
        if (byteOrderMark.includes(byte)) return at + 1;
        break;
      case 'first-key':
      case 'key':
        if (byte === quote) return this.#beginValue(chunk, at, true);
        if (byte === closeBrace && this.#expecting === 'first-key') return this.#expect('nothing', at);
        break;
      case 'colon':
        if (byte === colon) return this.#expect('value', at);
        break;
      case 'value':
        if (this.#wanted.has(this.#key)) {
          this.#requireNewKey();
          if (byte === openBracket) return this.#beginList(at);
        }
        return this.#beginValue(chunk, at, this.#visitor.wants?.(this.#key) === true);
      case 'first-element':
      case 'element':
        if (byte === closeBracket && this.#expecting === 'first-element') return this.#expect('comma', at);
        return this.#beginValue(chunk, at, true);
      case 'list-comma':
        if (byte === comma) return this.#expect('element', at);
        if (byte === closeBracket) return this.#expect('comma', at);
        break;
      case 'comma':
        if (byte === comma) return this.#expect('key', at);
        if (byte === closeBrace) return this.#expect('nothing', at);
        break;
    }
    throw new ListSyntaxError(`unexpected ${JSON.stringify(String.fromCharCode(byte))} at byte ${this.#offset + at}`);
  }

  #expect(next: Expecting, at: number): number {
    this.#expecting = next;
    return at + 1;
  }

  /** A duplicate key is an error, because it's unclear which value is meant. */
  #requireNewKey(): void {
    if (this.#seenKeys.has(this.#key)) throw new ListSyntaxError(`duplicate key "${this.#key}"`);
    this.#seenKeys.add(this.#key);
  }

  #beginList(at: number): number {
    this.foundLists.add(this.#key);
    this.#index = 0;
    return this.#expect('first-element', at);
  }

  #beginValue(chunk: Buffer, at: number, isWanted: boolean): number {
    const byte = chunk[at] as number;
    const container = byte === openBrace || byte === openBracket;
    this.#inside = container ? 'container' : byte === quote ? 'string' : 'scalar';
    this.#depth = container ? 1 : 0;
    this.#inString = byte === quote;
    this.#escaped = false;
    this.#isValueWanted = isWanted;
    this.#valueBytes = 0;
    this.#textBytes = 0;
    return this.#readValue(chunk, at + 1, at);
  }

  /** Continues inside a value at `at`; the part of this chunk to keep begins at `from`. */
  #readValue(chunk: Buffer, at: number, from = at): number {
    this.#from = from;
    const end = this.#inside === 'scalar' ? findScalarEnd(chunk, at) : this.#findNestedEnd(chunk, at);
    const stop = end < 0 ? chunk.length : end;
    let text: string | undefined;
    if (this.#isValueWanted) {
      this.#valueBytes += stop - from;
      if (this.#valueBytes > this.#maxEntryBytes)
        throw new ListSyntaxError(`an entry over ${this.#maxEntryBytes} bytes`);
      const isInChunk = end >= 0 && this.#bufferedBytes === 0;
      const buffered = isInChunk ? undefined : this.#append(chunk.subarray(this.#from, stop));
      if (end >= 0) text = buffered === undefined ? textOf(chunk, this.#from, stop) : textOf(buffered);
    }
    if (end < 0) return stop;
    this.#inside = 'no';
    this.#completeValue(text);
    this.#bufferedBytes = 0;
    if (this.#buffer.length > maxReusedBytes) this.#buffer = Buffer.alloc(0);
    return stop;
  }

  /** Appends to the buffered bytes and returns all of them. */
  #append(bytes: Buffer): Buffer {
    const needed = this.#bufferedBytes + bytes.length;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#buffer.length));
      this.#buffer.copy(larger, 0, 0, this.#bufferedBytes);
      this.#buffer = larger;
    }
    bytes.copy(this.#buffer, this.#bufferedBytes);
    this.#bufferedBytes = needed;
    return this.#buffer.subarray(0, needed);
  }

  /** Handles this chunk's part of a string over the limit: buffers the bytes before `limit` and hashes the rest. */
  #truncateString(chunk: Buffer, limit: number, to: number): Hash {
    if (this.#overflowHash === undefined) {
      const buffered = this.#append(chunk.subarray(this.#from, limit));
      this.#bufferedBytes = completeLength(buffered);
      this.#overflowHash = createHash('sha256').update(buffered.subarray(this.#bufferedBytes));
      this.#from = limit;
    }
    this.#overflowHash.update(chunk.subarray(this.#from, to));
    this.#from = to;
    return this.#overflowHash;
  }

  #endTruncated(overflowHash: Hash): void {
    this.#append(Buffer.from(`… ${overflowHash.digest('base64url')}"`));
    this.#overflowHash = undefined;
  }

  /**
   * Where the current string or container ends in this chunk, or -1. This loop is hot: separate inner loops for bytes
   * inside and outside strings take half the time of a single loop with a flag.
   */
  #findNestedEnd(chunk: Buffer, start: number): number {
    const { length } = chunk;
    let at = this.#escaped ? start + 1 : start;
    let depth = this.#depth;
    const limit = this.#isValueWanted ? this.#maxTextBytes : Number.POSITIVE_INFINITY;
    // Where the current string begins; negative if it began in an earlier chunk.
    let from = start - this.#textBytes;
    for (;;) {
      if (this.#inString) {
        for (; at < length; at += 1) {
          const byte = chunk[at];
          if (byte === quote) break;
          if (byte === backslash) at += 1;
        }
        if (at >= length) break;
        at += 1;
        this.#inString = false;
        if (at - from > limit) this.#endTruncated(this.#truncateString(chunk, from + limit, at));
        if (depth === 0) return at;
      }
      for (; at < length; at += 1) {
        const byte = chunk[at] as number;
        if (byte === quote) break;
        if (byte < openBracket) continue;
        // `{` and `[` differ in one bit, and so do `}` and `]`.
        if ((byte | 0x20) === openBrace) depth += 1;
        else if ((byte | 0x20) === closeBrace) {
          depth -= 1;
          if (depth === 0) return at + 1;
        }
      }
      if (at >= length) break;
      at += 1;
      from = at;
      this.#inString = true;
    }
    if (this.#inString) {
      if (length - from > limit) this.#truncateString(chunk, from + limit, length);
      this.#textBytes = length - from;
    }
    this.#depth = depth;
    this.#escaped = at > length; // the last byte was a backslash, which escapes the first byte of the next chunk
    return -1;
  }

  #completeValue(json: string | undefined): void {
    switch (this.#expecting) {
      case 'first-key':
      case 'key':
        this.#key = parseKey(json ?? '');
        this.#expecting = 'colon';
        break;
      case 'value':
        this.#expecting = 'comma';
        if (json !== undefined) this.#visitor.value?.(this.#key, json);
        break;
      default:
        this.#expecting = 'list-comma';
        this.#visitor.element(this.#key, json ?? '', this.#index);
        this.#index += 1;
    }
  }
}

function findScalarEnd(chunk: Buffer, start: number): number {
  for (let at = start; at < chunk.length; at += 1) {
    const byte = chunk[at] as number;
    if (byte === comma || byte === closeBrace || byte === closeBracket || byte <= 0x20) return at;
  }
  return -1;
}

function textOf(bytes: Buffer, from = 0, to = bytes.length): string {
  const text = bytes.toString('utf8', from, to);
  // Decoding inserts replacement characters, and a contact would be sent back with them.
  if (text.includes('\ufffd') && !isUtf8(bytes.subarray(from, to))) throw new ListSyntaxError('text that is not UTF-8');
  return text;
}

/** The length of the text without a multi-byte character or an escape at its end, which can be incomplete. */
function completeLength(bytes: Buffer): number {
  let end = bytes.length;
  while (((bytes[end - 1] as number) & 0xc0) === 0x80) end -= 1;
  if ((bytes[end - 1] as number) >= 0xc0) return end - 1;
  const slash = bytes.lastIndexOf(backslash, end - 1);
  if (slash < 0 || end - slash > longestEscape) return end;
  let first = slash;
  while (bytes[first - 1] === backslash) first -= 1;
  return (slash - first) % 2 === 0 ? slash : end;
}

function parseKey(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    throw new ListSyntaxError('a key that is not a JSON string');
  }
}
