import { expect, test } from 'vitest';
import { createScanner } from '../../src/scan/index.ts';

const scannerOf = (onVerdict?: (state: string) => void) =>
  createScanner({
    address: { host: '127.0.0.1', port: 1 },
    maxBytes: 10,
    isRequired: false,
    ...(onVerdict && { onVerdict }),
  });

test("two files per workspace are scanned at a time; other workspaces don't wait", async () => {
  const scanner = scannerOf();
  const { signal } = new AbortController();
  const started: string[] = [];
  const acquire = async (key: string) => {
    const release = await scanner.acquire(key, signal);
    started.push(key);
    return release;
  };
  const [first] = await Promise.all([acquire('T1'), acquire('T1')]);
  const third = acquire('T1');
  await acquire('T2');
  expect(started).toEqual(['T1', 'T1', 'T2']);
  first?.();
  first?.(); // a second call frees nothing more
  await third;
  const fourth = new AbortController();
  const waiting = scanner.acquire('T1', fourth.signal);
  fourth.abort(new Error('cancelled'));
  await expect(waiting).rejects.toThrow('cancelled');
});

test('one person gets two scans for links at a time, a workspace eight', async () => {
  const scanner = scannerOf();
  const { signal } = new AbortController();
  const started: string[] = [];
  const acquire = async (person?: string) => {
    const release = await scanner.acquire('T1', signal, person);
    started.push(person ?? 'transfer');
    return release;
  };
  const people = ['A', 'B', 'C', 'D'];
  const [first] = await Promise.all(people.flatMap((person) => [acquire(person), acquire(person)]));
  const waiting = [acquire('A'), acquire('E')];
  await acquire();
  expect(started).toHaveLength(9);
  first?.();
  // E asked for one of the workspace's scans first: A was waiting for their own.
  await waiting[1];
  expect(started).toEqual(['A', 'A', 'B', 'B', 'C', 'C', 'D', 'D', 'transfer', 'E']);
});

test('scans are counted by their result', () => {
  const countedStates: string[] = [];
  const scanner = scannerOf((state) => countedStates.push(state));
  scanner.count({ state: 'clean' });
  scanner.count({ state: 'infected', signature: 'x' });
  expect(countedStates).toEqual(['clean', 'infected']);
});
