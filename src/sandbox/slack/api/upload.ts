import type { IncomingHttpHeaders } from 'node:http';
import { type Answer, textAnswer } from '../http.ts';
import type { Ticket, World } from '../state/world.ts';

/** The data doesn't have the announced length. */
class WrongLength extends Error {}

/** Receives a file at its upload URL: exactly the announced length, and only once. */
export async function receiveUpload(
  world: World,
  secret: string,
  headers: IncomingHttpHeaders,
  body: AsyncIterable<Buffer>,
): Promise<{ answer: Answer; ticket: Ticket | undefined }> {
  const ticket = world.tickets.get(secret);
  if (!ticket || ticket.stored) return { answer: textAnswer(404, 'no such upload'), ticket };
  // Slack accepts forms too. The bot sends the plain bytes, so a form would be a mistake.
  if (/^multipart\//i.test(headers['content-type'] ?? '')) {
    return { answer: textAnswer(415, 'multipart uploads are not simulated'), ticket };
  }
  try {
    const stored = await world.files.receive(withExactLength(ticket.length, body));
    ticket.stored = stored;
    return { answer: textAnswer(200, `OK - ${ticket.length}`), ticket };
  } catch (error) {
    if (!(error instanceof WrongLength)) throw error;
    return { answer: textAnswer(400, error.message), ticket };
  }
}

async function* withExactLength(length: number, data: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let received = 0;
  for await (const chunk of data) {
    received += chunk.length;
    if (received > length) throw new WrongLength(`received more than the announced ${length} bytes`);
    yield chunk;
  }
  if (received < length) throw new WrongLength(`received ${received} bytes instead of the announced ${length}`);
}
