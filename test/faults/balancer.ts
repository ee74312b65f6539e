import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Round-robin TCP proxy over the listening ports. If one side closes its connection, the other is closed too. */
export async function startBalancer(ports: () => number[]) {
  let connections = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const listening = ports();
    connections += 1;
    const port = listening[connections % Math.max(1, listening.length)];
    if (port === undefined) return void client.destroy();
    const bot = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [client, bot],
      [bot, client],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
