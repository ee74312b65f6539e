import { createServer, type IncomingMessage } from 'node:http';
import { serve } from './serve.ts';

export interface VerbatimService {
  url: string;
  /** The contacts, each as the exact text that was sent. Tests can change the list. */
  local: string[];
  /** Converts a received contact to what the service stores. */
  toStored: (text: string) => string;
  writes: number;
}

/**
 * Starts a service that stores contacts as exact text. The reference service parses and rewrites them, which would hide
 * a lost digit. This service accepts any list, even contacts without an address or duplicates.
 */
export async function startVerbatimService(local: string[]): Promise<VerbatimService> {
  const service: VerbatimService = { url: '', local, toStored: (text) => text, writes: 0 };
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    if (path.endsWith('contacts_read.cgi')) return response.end(`{"local":[${service.local.join(',')}],"global":[]}`);
    if (!path.endsWith('contacts_add.cgi')) return response.end('<input name="csrftoken" value="T0k3nT0k3n">');
    service.local = elementsOf(await textOf(request)).map(service.toStored);
    service.writes += 1;
    return response.end('{"status":"ok"}');
  });
  service.url = await serve(server);
  return service;
}

async function textOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString();
}

/** Splits a JSON array into its elements, each as exact text. */
function elementsOf(array: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let from = 1;
  for (const { 0: token, index } of array.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/g)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth === 0 || (depth === 1 && token === ',')) {
      if (index > from) elements.push(array.slice(from, index));
      from = index + 1;
    }
  }
  return elements;
}
