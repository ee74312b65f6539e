import type { Blob, Json } from './model.ts';

/** Interfaces to files and sockets. The layers above implement them, so that the state itself does no I/O. */

export interface StoredFile extends Blob {
  sha256: string;
}

export interface FileWriter {
  /** Stores a stream; if the stream breaks off, nothing is stored. */
  receive(data: AsyncIterable<Uint8Array>): Promise<StoredFile>;
}

export interface Envelope {
  type: 'slash_commands' | 'interactive' | 'events_api';
  payload: Json;
  acceptsResponse: boolean;
  retry: number;
  retryReason: string | undefined;
}

/** The connections of Socket Mode. */
export interface Sockets {
  /** A single-use ticket for one connection. */
  issueTicket(): string;
  /** Sends an envelope over one of the connections; resolves with the bot's answer. Rejects if none is open. */
  deliver(envelope: Envelope, signal: AbortSignal): Promise<Json | undefined>;
}
