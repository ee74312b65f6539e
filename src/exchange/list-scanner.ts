import { isUtf8 } from 'node:buffer';

export interface ListVisitor {
  /** The raw JSON text of one element of a wanted list. */
  element(list: string, json: string, index: number): void;
  /** The raw JSON text of each other value at the top level that `wants` asks for. */
  value?(key: string, json: string): void;
  wants?(key: string): boolean;
}

/** The bytes are not a JSON object, or hold a wanted list twice, or an entry over the limit. */
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

/**
 * Reads a JSON object chunk by chunk and hands over the elements of the lists at its top level, one by one, as the text
 * they were written in. Whatever else it holds is passed over without being parsed or kept, so that an inbox of three
 * items costs the same memory beside ten past dispatches and beside a million.
 *
 * What is passed over is followed just far enough to find its end; what is handed over is for the visitor to parse.
 */
export class ListScanner {
  /** The wanted lists that were there, whether or not they had elements. */
  readonly found = new Set<string>();
  /** The same, and those that were there as something else than a list. */
  readonly #met = new Set<string>();
  readonly #wanted: ReadonlySet<string>;
  readonly #visitor: ListVisitor;
  readonly #maxEntryBytes: number;
  #expecting: Expecting = 'object';
  #key = '';
  #index = 0;
  #offset = 0;

  // The value that is being read: how deep inside it we are, and the pieces kept so far if it is to be handed over.
  #inside: 'no' | 'scalar' | 'string' | 'container' = 'no';
  #depth = 0;
  #inString = false;
  #escaped = false;
  #pieces: Buffer[] | undefined;
  #pieceBytes = 0;

  constructor(wanted: readonly string[], visitor: ListVisitor, maxEntryBytes = Number.POSITIVE_INFINITY) {
    this.#wanted = new Set(wanted);
    this.#visitor = visitor;
    this.#maxEntryBytes = maxEntryBytes;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      at = this.#inside === 'no' ? this.#between(chunk, at) : this.#within(chunk, at);
    }
    this.#offset += chunk.length;
  }

  /** Must be called after the last chunk: an object that did not end is no answer. */
  end(): void {
    if (this.#expecting !== 'nothing') throw new ListSyntaxError('it ends in the middle');
  }

  /** Handles the byte at `at`, which is outside of any value, and returns where to go on. */
  #between(chunk: Buffer, at: number): number {
    const byte = chunk[at] as number;
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return at + 1;
    switch (this.#expecting) {
      case 'object':
        if (byte === openBrace) return this.#expect('first-key', at);
        if (byteOrderMark.includes(byte)) return at + 1;
        break;
      case 'first-key':
      case 'key':
        if (byte === quote) return this.#begin(chunk, at, true);
        if (byte === closeBrace && this.#expecting === 'first-key') return this.#expect('nothing', at);
        break;
      case 'colon':
        if (byte === colon) return this.#expect('value', at);
        break;
      case 'value':
        if (this.#wanted.has(this.#key)) {
          this.#meet();
          if (byte === openBracket) return this.#beginList(at);
        }
        return this.#begin(chunk, at, this.#visitor.wants?.(this.#key) === true);
      case 'first-element':
      case 'element':
        if (byte === closeBracket && this.#expecting === 'first-element') return this.#expect('comma', at);
        return this.#begin(chunk, at, true);
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

  /** Of two values, also of one that is a list and one that is none, nobody could tell which is meant. */
  #meet(): void {
    if (this.#met.has(this.#key)) throw new ListSyntaxError(`"${this.#key}" is there twice`);
    this.#met.add(this.#key);
  }

  #beginList(at: number): number {
    this.found.add(this.#key);
    this.#index = 0;
    return this.#expect('first-element', at);
  }

  #begin(chunk: Buffer, at: number, keep: boolean): number {
    const byte = chunk[at] as number;
    const container = byte === openBrace || byte === openBracket;
    this.#inside = container ? 'container' : byte === quote ? 'string' : 'scalar';
    this.#depth = container ? 1 : 0;
    this.#inString = byte === quote;
    this.#escaped = false;
    this.#pieces = keep ? [] : undefined;
    this.#pieceBytes = 0;
    return this.#within(chunk, at + 1, at);
  }

  /** Goes on inside of a value from `at`; what is to be kept of this chunk begins at `from`. */
  #within(chunk: Buffer, at: number, from = at): number {
    const end = this.#inside === 'scalar' ? scalarEnd(chunk, at) : this.#nestedEnd(chunk, at);
    if (this.#pieces !== undefined) {
      this.#pieceBytes += (end < 0 ? chunk.length : end) - from;
      if (this.#pieceBytes > this.#maxEntryBytes)
        throw new ListSyntaxError(`an entry over ${this.#maxEntryBytes} bytes`);
      this.#pieces.push(chunk.subarray(from, end < 0 ? chunk.length : end));
    }
    if (end < 0) return chunk.length;
    this.#inside = 'no';
    this.#complete(this.#pieces === undefined ? undefined : textOf(this.#pieces));
    return end;
  }

  /**
   * Where the string or container that we are inside of ends in this chunk, or -1. The hot loop: one tight round for the
   * bytes of a string and one for those between strings takes half the time of a single one with a flag.
   */
  #nestedEnd(chunk: Buffer, start: number): number {
    const { length } = chunk;
    let at = this.#escaped ? start + 1 : start;
    let depth = this.#depth;
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
      this.#inString = true;
    }
    this.#depth = depth;
    this.#escaped = at > length; // a backslash was the last byte: what it escapes comes with the next chunk
    return -1;
  }

  #complete(json: string | undefined): void {
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

function scalarEnd(chunk: Buffer, start: number): number {
  for (let at = start; at < chunk.length; at += 1) {
    const byte = chunk[at] as number;
    if (byte === comma || byte === closeBrace || byte === closeBracket || byte <= 0x20) return at;
  }
  return -1;
}

function textOf(pieces: Buffer[]): string {
  const [only] = pieces;
  const bytes = only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
  // Decoding would put question marks in place of what it cannot read, and a contact would be sent back with them.
  if (!isUtf8(bytes)) throw new ListSyntaxError('text that is not UTF-8');
  return bytes.toString();
}

function parseKey(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    throw new ListSyntaxError('a key that is no JSON string');
  }
}
