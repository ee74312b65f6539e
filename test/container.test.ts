import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { variables } from '../src/config.ts';

const top = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(resolve(top, path), 'utf8');
const known = ['POSTGRES_PASSWORD', ...Object.keys(variables.shape)];

test('the container files set only variables that Dropline or Postgres reads', () => {
  const [, environment = ''] =
    /^x-dropline:.*?\n {2}environment:\n(.*?)\n {2}\w/ms.exec(read('manifest/container/compose.yaml')) ?? [];
  const inCompose = [...environment.matchAll(/^ {4}([A-Z_]+):/gm)].map(([, name]) => name);
  const inExample = [...read('manifest/container/example.env').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(inCompose).toContain('DATABASE_URL');
  expect(inExample).toContain('SECRET_KEY');
  expect([...inCompose, ...inExample].filter((name) => !known.includes(String(name)))).toEqual([]);
});

test('every file that the image copies exists and is sent to the build', () => {
  const copied = [...read('manifest/container/Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
    ([, names = '']) => names.split(' '),
  );
  expect(copied).toContain('src');
  const sent = read('.dockerignore').split('\n');
  expect(copied.filter((name) => !existsSync(resolve(top, name)) || !sent.includes(`!${name}`))).toEqual([]);
});
