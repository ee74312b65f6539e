import { expect, test } from 'vitest';
import { eachWorkspace } from '../../src/features/common/connection/each-workspace.ts';

const workspaces = Array.from({ length: 40 }, (_, number) => `T${number}`);
const log = { debug() {}, info() {}, warn() {}, error() {} };

async function interaction(isFailing: (number: number) => boolean) {
  const visited: string[] = [];
  const end = await eachWorkspace({ log }, workspaces, async (workspace) => {
    visited.push(workspace);
    if (isFailing(visited.length - 1)) throw new Error(workspace);
  }).catch((error: Error) => error.message);
  return { visited: visited.length, end };
}

test('failing workspaces do not block the others', async () => {
  expect(await interaction((number) => number % 10 !== 9)).toEqual({ visited: 40, end: undefined });
});

test('ten failures in a row stop the loop', async () => {
  expect(await interaction((number) => number >= 12)).toEqual({ visited: 22, end: 'T21' });
});
