import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import type { Exchange } from '../../src/exchange/index.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { type Play, sendAtOnce, sendBesideOtherProgram, sendBesideUnexpectedFile } from './interleavings.ts';

const postgres = startTestPostgres();

/** Every call is late by something, so that two workers get in each other's way. */
const delayed = (exchange: Exchange): Exchange =>
  Object.fromEntries(
    Object.entries(exchange).map(([name, method]) => {
      if (typeof method !== 'function') return [name, method];
      const call = method as (...args: unknown[]) => Promise<unknown>;
      return [name, async (...args: unknown[]) => sleep(Math.random() * 20).then(() => call(...args))];
    }),
  ) as Exchange;

/** In this process, with stores of their own; the deep tier plays many times with real processes. */
const play: Play = {
  count: 3,
  async keepWorking({ another, otherServices, work }, playing) {
    for (const store of [await another(), await another()]) {
      await work({ store, services: otherServices(store, delayed) });
    }
    await playing;
  },
};

test('two people who send at once each send their own files to their own recipients', async () => {
  await sendAtOnce(postgres, play);
});

test('an unexpected file on the account is sent by neither of two, and both learn its name', async () => {
  await sendBesideUnexpectedFile(postgres, play);
});

test('what another program does between two sends is never sent unnoticed', async () => {
  await sendBesideOtherProgram(postgres, play);
});
