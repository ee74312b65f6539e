import { expect, test } from 'vitest';
import { answers, payloads } from '../../helpers/slack-samples.ts';
import { capture } from './captured.ts';
import { keyPaths } from './key-paths.ts';

test('the answers and payloads of the simulation have exactly the keys of the samples', async () => {
  const captured = await capture();
  expect(keysByName(captured.answers)).toEqual(keysByName(answers));
  expect(keysByName(captured.payloads)).toEqual(keysByName(payloads));
});

function keysByName(values: Record<string, unknown>): Record<string, string[]> {
  // The SDK adds these from the headers of an answer.
  const isAdded = (path: string) => /^response_metadata(\.(scopes|acceptedScopes))?$/.test(path);
  const keysOf = (value: unknown) => [...keyPaths(value)].filter((path) => !isAdded(path)).sort();
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, keysOf(value)]));
}
