import { expect, test } from 'vitest';
import { eachWorkspace } from '../../src/features/common/connection.ts';

const workspaces = Array.from({ length: 40 }, (_, number) => `T${number}`);
const log = { debug() {}, info() {}, warn() {}, error() {} };

async function run(isFailing: (number: number) => boolean) {
  const processed: string[] = [];
  const error = await eachWorkspace({ log }, workspaces, async (workspace) => {
    processed.push(workspace);
    if (isFailing(processed.length - 1)) throw new Error(workspace);
  }).catch((error: Error) => error.message);
  return { processed: processed.length, error };
}

test('a loop over all workspaces continues after some of them fail', async () => {
  expect(await run((number) => number % 10 !== 9)).toEqual({ processed: 40, error: undefined });
});

test('a loop over all workspaces stops after ten failures in a row', async () => {
  expect(await run((number) => number >= 12)).toEqual({ processed: 22, error: 'T21' });
});
