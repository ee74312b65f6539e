import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** Retired words and their replacements. */
const retired: Record<string, string> = {
  akin: 'related',
  aside: 'staged',
  audience: 'notifier',
  crew: 'workers',
  deed: 'audit entry',
  dispatch: 'transfer, send',
  drawer: 'collection',
  fence: 'guard',
  fenced: 'guarded',
  foreign: 'unexpected',
  glance: 'getStale',
  grant: 'request',
  judge: 'reconcile',
  ledger: 'repository',
  meanwhile: 'say when',
  mend: 'fix, restore',
  mended: 'restored',
  outgoing: 'transfers',
  poster: 'announcer',
  receiver: 'recipient',
  seal: 'encrypt',
  sealed: 'encrypted',
  sentence: 'error message',
  settle: 'reconcile',
  settled: 'reconciled, idle',
  spot: 'location',
  tray: 'staged files',
  vault: 'cipher',
  visit: 'interaction',
  waiter: 'origin, queue',
  whom: 'recipients',
  wish: 'draft',
};

/** Words that are retired in names only. Prose can use them. */
const retiredInNames: Record<string, string> = {
  drop: 'transfer',
  kept: 'cache',
  newest: 'latest',
  place: 'location, context, slot',
  said: 'message',
  summary: 'review',
  tell: 'notify',
  told: 'notified',
};

/** The client library and the reference service use the words of the service's API. */
const apiWords = ['dispatch', 'drop', 'foreign', 'grant', 'receiver'];
const usesApiWords = (path: string) => /^(?:src|test)\/(?:sandbox\/)?exchange\//.test(path);

const root = resolve(import.meta.dirname, '..');
const files = ['src', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /\.tsx?$/.test(path)),
);

const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

/** Splits names like `readPastTransfers` and `past-transfers` into words, with plurals as singulars. */
const wordsOf = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .map((word) => (word.length > 4 ? word.replace(/(?<=sh|ch)es$|s$/, '') : word));

const problemsIn = (path: string, name: string, words: Record<string, string>) =>
  wordsOf(name)
    .filter((word) => Object.hasOwn(words, word) && !(usesApiWords(path) && apiWords.includes(word)))
    .map((word) => `${path}: "${name}" says ${word}; use ${words[word]}`);

const nameWords = { ...retired, ...retiredInNames };

test('file names use the words of the glossary', () => {
  expect(files.flatMap((path) => problemsIn(path, basename(path), nameWords))).toEqual([]);
});

test('exported names use the words of the glossary', () => {
  const exported = /^export (?:declare )?(?:abstract )?(?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm;
  const found = files.flatMap((path) => [...textOf(path).matchAll(exported)].map(([, name = '']) => ({ path, name })));
  expect(found.length).toBeGreaterThan(1_000);
  expect(found.flatMap(({ path, name }) => problemsIn(path, name.replace(otherNames, ''), nameWords))).toEqual([]);
});

/** Names that Slack, OAuth, Node, Postgres, browsers and the client library of the service give to things. */
const otherNames = new RegExp(
  `\\b(?:${[
    'dispatch_action\\w*|dispatch_failed|dispatchEvent',
    'receiver|HTTPReceiver|SocketModeReceiver|Receiver|ReceiverEvent|createHttpReceiver',
    '\\w*grant_type|grantType|grants?|redeemGrant|Grant',
    'allSettled|OutgoingHttpHeaders',
    'setReceivers|createDispatch|grantAccess',
  ].join('|')})\\b`,
  'g',
);
/** Fields, operations and options of the reference service, which tests read and set. */
const serviceNames = /\b(?:receivers|receivers_set|uploadsAfterDispatch)\b/g;
/** Comments, strings and expected texts, but not template literals: these can be SQL. */
const notCode = /(?<=toMatch\(|, )\/.*|\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/gm;
/** What a template literal that isn't SQL contains in addition to text. */
const expressionsOf = (template: string) =>
  template.includes('dropline.') ? template : (template.match(/\$\{[^}]*\}/g) ?? []).join();

const identifierWords = {
  ...Object.fromEntries(
    Object.entries(retired).filter(([word]) => !['aside', 'drawer', 'visit', 'whom'].includes(word)),
  ),
  said: 'message',
  told: 'notified',
};

test('identifiers use the words of the glossary', () => {
  const problems = files
    .filter((path) => !usesApiWords(path) && basename(path) !== 'names.test.ts')
    .flatMap((path) => {
      const code = textOf(path)
        .replace(notCode, '')
        .replace(/`[^`]*`/g, expressionsOf)
        .replace(otherNames, '');
      const ownCode = path.startsWith('test/') ? code.replace(serviceNames, '') : code;
      return [...new Set(ownCode.match(/[a-z_$][\w$]*/gi))].flatMap((name) => problemsIn(path, name, identifierWords));
    });
  expect(problems).toEqual([]);
});

test('stored names use the words of the glossary', () => {
  const names = textOf('test/upgrade/protocol.txt').match(/^[^#\n].*/gm) ?? [];
  expect(names.length).toBeGreaterThan(500);
  // The two names that people can type instead of the commands.
  const aliases = ['dispatch', 'receivers'];
  const others = names.filter((name) => !aliases.includes(name));
  expect(others.flatMap((name) => problemsIn('protocol.txt', name, identifierWords))).toEqual([]);
});

const titles = files
  .filter((path) => path.startsWith('test/'))
  .flatMap((path) =>
    [...textOf(path).matchAll(/(?:\b(?:test|describe)[\w.]*|\))\(\s*(['"`])((?:\\.|(?!\1).)*)\1,/g)].map(
      ([, , title = '']) => ({ path, title }),
    ),
  );

test('test titles use the words of the glossary', () => {
  expect(titles.length).toBeGreaterThan(1_000);
  expect(titles.flatMap(({ path, title }) => problemsIn(path, title.replace(otherNames, ''), retired))).toEqual([]);
});

test('test titles have at most 80 characters', () => {
  expect(titles.filter(({ title }) => title.length > 80)).toEqual([]);
});
