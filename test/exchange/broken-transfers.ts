import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createServiceAgent, type FileSource } from '../../src/exchange/index.ts';
import { startCuttingProxy } from '../helpers/cutting-proxy.ts';
import { bytesOf, failureOf, fileOf, setUp, user } from '../helpers/exchange.ts';
import { createRandom } from '../helpers/seeded.ts';

/** Tests broken connections with `runs` seeds each, and broken sources with twice as many. */
export function testBrokenTransfers(runs: number): void {
  const rejections: unknown[] = [];
  const record = (reason: unknown) => rejections.push(reason);
  beforeEach(() => {
    process.on('unhandledRejection', record);
  });
  afterEach(() => {
    process.off('unhandledRejection', record);
    expect(rejections).toEqual([]);
  });

  /** A source with one fault after a random number of bytes, in random chunks. */
  function brokenSource(seed: number): { source: FileSource; streams: Readable[]; fault: string } {
    const random = createRandom(seed);
    const size = 1 + random.below(400_000);
    const data = random.bytes(Math.min(size, 1000));
    const fault = random.pick(['ends early', 'errors', 'is closed', 'goes on', 'fails to open', 'errors at the end']);
    const bytesSent =
      fault === 'goes on' ? size + 1 + random.below(1000) : fault === 'errors at the end' ? size : random.below(size);
    const streams: Readable[] = [];
    async function* chunks() {
      let left = bytesSent;
      while (left > 0) {
        const chunk = data.subarray(0, Math.min(left, 1 + random.below(data.length)));
        left -= chunk.length;
        yield chunk;
        if (random.below(4) === 0) await new Promise(setImmediate);
      }
      if (fault.startsWith('errors')) throw new Error('the source broke');
      if (fault === 'is closed') streams[0]?.destroy();
    }
    const open = async () => {
      if (fault === 'fails to open') throw new Error('the source broke');
      const stream = Readable.from(chunks(), { objectMode: false });
      streams.push(stream);
      return stream;
    };
    return { source: { name: `${seed}.bin`, size, open }, streams, fault };
  }

  test(`if its source breaks, an upload fails and stores no file: ${2 * runs} seeds`, async () => {
    const { exchange, account, server } = await setUp();
    for (let seed = 1; seed <= 2 * runs; seed += 1) {
      const { source, streams, fault } = brokenSource(seed);
      const failure = await failureOf(exchange.upload(source));
      const expected = /^errors|open/.test(fault) ? 'the source broke' : /bytes/;
      expect(failure.message, `seed ${seed}: ${fault}`).toMatch(expected);
      expect(account.uploads, `seed ${seed}: ${fault}`).toEqual([]);
      expect(
        streams.every((stream) => stream.destroyed),
        `seed ${seed}: ${fault}`,
      ).toBe(true);
    }
    await exchange.upload(fileOf('whole.bin', 'whole'));
    expect(account.uploads.map(({ name }) => name)).toEqual(['whole.bin']);
    expect(server.connections()).toBeLessThan(5);
  });

  async function behindProxy() {
    const setup = await setUp();
    const proxy = await startCuttingProxy(setup.server.url);
    const dispatcher = createServiceAgent({ hosts: ['127.0.0.1'] });
    return { ...setup, proxy, dispatcher, exchange: setup.client({ baseUrl: proxy.url, dispatcher }) };
  }

  test(`if an upload is interrupted, no file is stored: ${runs} random positions`, async () => {
    const { account, proxy, dispatcher, exchange, callCount } = await behindProxy();
    const data = createRandom(7).bytes(200_000);
    for (let seed = 1; seed <= runs; seed += 1) {
      const random = createRandom(seed);
      await exchange.signIn();
      proxy.cut({ direction: 'up', after: 500 + random.below(200_000), reset: random.below(2) === 0 });
      const failure = await failureOf(exchange.upload(fileOf('cut.bin', data)));
      expect(failure, `seed ${seed}`).toMatchObject({ code: 'cut-short', operation: 'upload' });
      expect(account.uploads, `seed ${seed}`).toEqual([]);
      proxy.cut(undefined);
    }
    expect(callCount('upload')).toBeGreaterThan(0);
    await exchange.upload(fileOf('whole.bin', data));
    expect(account.uploads).toMatchObject([{ name: 'whole.bin', bytes: data.length }]);
    await dispatcher.close();
    await expect.poll(proxy.connections).toBe(0);
  });

  test.each(['length', 'chunked'] as const)(
    `if a download (%s) is interrupted, it fails: ${runs} random positions`,
    async (downloadFraming) => {
      const { server, proxy, dispatcher, exchange } = await behindProxy();
      server.behaviour.downloadFraming = downloadFraming;
      const data = createRandom(9).bytes(200_000);
      const { url } = await server.addInboxItem(user, { sender: 'bo@example.org', files: [{ name: 'f.bin', data }] });
      for (let seed = 1; seed <= runs; seed += 1) {
        const random = createRandom(seed);
        await exchange.signIn();
        proxy.cut({ direction: 'down', after: 3000 + random.below(195_000), reset: random.below(2) === 0 });
        const downloaded = exchange.download({ url, name: 'f.bin' }).then(({ stream }) => bytesOf(stream));
        expect(await failureOf(downloaded), `seed ${seed}`).toMatchObject({ code: 'cut-short', operation: 'download' });
        proxy.cut(undefined);
      }
      const { stream } = await exchange.download({ url, name: 'f.bin' });
      expect((await bytesOf(stream)).equals(data)).toBe(true);
      await dispatcher.close();
      await expect.poll(proxy.connections).toBe(0);
    },
  );
}
