import { expect, test } from 'vitest';
import { manifestFor } from '../src/slack/manifest.ts';
import { runMain, usePrograms } from './helpers/program.ts';

const filled = { https: manifestFor('https://drop.example.org'), socket: manifestFor(undefined) };
const run = runMain(usePrograms());

test('the main program prints the manifest for a URL, Socket Mode or PUBLIC_URL', async () => {
  const url = 'https://drop.example.org';
  expect(JSON.parse((await run(['manifest', '--url', `${url}/`])).printed)).toEqual(filled.https);
  expect(JSON.parse((await run(['manifest'], { PUBLIC_URL: url })).printed)).toEqual(filled.https);
  expect(JSON.parse((await run(['manifest', '--socket'], { PUBLIC_URL: url })).printed)).toEqual(filled.socket);
  const refused = await run(['manifest', '--url', 'http://drop.example.org']);
  expect(refused).toEqual({
    code: 1,
    printed: 'PUBLIC_URL must begin with https:// (http:// is only allowed for localhost)\n',
  });
});
