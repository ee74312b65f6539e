import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { ask, setUpLinks } from './download-link.ts';

const postgres = startTestPostgres();

/** Asks for a file and reads nothing of it. */
function stall(url: string): Socket {
  const { port, pathname } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.pause();
  socket.write(`POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`);
  return socket;
}

test('a reader who stops is cut off, and one person has four downloads at a time', async () => {
  const { arrive, linkTo, audited } = await setUpLinks(postgres, { timing: { stallMs: 4_000 } });
  const names = ['a', 'b', 'c', 'd', 'e'];
  const data = Buffer.alloc(30_000_000);
  await arrive(
    'carl@example.org',
    names.map((name) => ({ name, data })),
  );
  const links: string[] = [];
  for (const name of names) links.push(await linkTo(name));
  const last = links.pop() ?? '';
  for (const link of links) stall(link);
  // Used up, so it has begun.
  for (const link of links) await expect.poll(async () => (await ask(link, 'GET')).status).toBe(404);
  expect((await ask(last, 'POST')).status).toBe(429);
  const given = async () =>
    (await audited()).filter(({ act, outcome }) => act === 'download' && outcome !== 'done').length;
  await expect.poll(given, { timeout: 20_000 }).toBe(4);
  expect((await ask(last, 'POST')).body).toHaveLength(data.length);
});
