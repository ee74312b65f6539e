import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { Config } from '../config.ts';
import { failed, ok, type Result, reasonOf, skipped } from './result.ts';

/**
 * Checks that the public address leads to this machine, over HTTP/1.1. If the bot isn't running, a temporary server
 * answers on its port.
 */
export async function publicAddressLeadsHere({ publicUrl, port, host }: Config): Promise<Result> {
  if (publicUrl === undefined)
    return skipped("PUBLIC_URL isn't set: API keys are entered in Slack, and there are no download links");
  const temporaryServer = await startTemporaryServer(port, host);
  try {
    const health = await get(`${publicUrl}/healthz`);
    const fix = `Point the proxy of ${publicUrl} at port ${port} of this machine.`;
    if (health.status !== 200) return failed(`${publicUrl}/healthz answers with ${health.status}`, fix);
    const isOurs =
      temporaryServer === undefined ? /"alive": ?true/.test(health.text) : health.text === temporaryServer.text;
    if (!isOurs) return failed(`${publicUrl} leads to something else`, fix);
    // This link doesn't exist. The answer is 505 if the proxy speaks HTTP/1.0, otherwise 404.
    if ((await get(`${publicUrl}/d/`)).status === 505)
      return failed('The proxy speaks HTTP/1.0 to Dropline', 'nginx: set proxy_http_version 1.1.');
    return ok(`${publicUrl} leads here`);
  } catch (error) {
    return failed(
      `${publicUrl} can't be reached from here (${reasonOf(error)})`,
      'Check its name, certificate and proxy. If only this machine cannot reach it, open /healthz in a browser.',
    );
  } finally {
    await temporaryServer?.close();
  }
}

async function get(url: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(10_000) });
  return { status: answer.status, text: (await answer.text()).slice(0, 1_000) };
}

interface TemporaryServer {
  text: string;
  close(): Promise<void>;
}

/** Resolves with undefined if the port can't be opened. Usually the bot is using it, and answers itself. */
async function startTemporaryServer(port: number, host: string): Promise<TemporaryServer | undefined> {
  const text = JSON.stringify({ check: randomBytes(16).toString('hex') });
  const server = createServer((request, response) => {
    if (request.url === '/healthz') response.end(text);
    else response.writeHead(request.httpVersion === '1.0' ? 505 : 404).end();
  });
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, host, () => resolve(true));
  });
  if (!isListening) return undefined;
  return {
    text,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
