import { mutations, type RawAnswer } from '../hostile/mutations.ts';
import type { Random } from './watched-bot.ts';

const pieces = [
  ...['send', 'contacts add', 'request', 'inbox', 'recipients', 'history', 'settings', 'status', 'files', 'help'],
  ...[
    '"',
    "'",
    '“',
    '<',
    '>',
    '&lt;',
    '&amp;',
    '|',
    '<@U1|x>',
    '<#C1|x>',
    '<mailto:a@b.example|a@b.example>',
    '@',
    '#',
  ],
  ...[
    'email=',
    'name:',
    ',',
    ';',
    '\t',
    '\n',
    '\r\n',
    '\u0000',
    '\ufeff',
    '\u202e',
    '\u200b',
    '\ud800',
    '👩‍👩‍👧',
    'ß',
    'İ',
  ],
  ...['a@example.org', '+46700000001', '../..', '%00', '%', '$x', '{{x}}', '__proto__', 'constructor', 'null', '-1'],
  ...[' ', '   ', '*', '_', '`', '\\', '\\"', '=1+1', '9'.repeat(40), 'x'.repeat(300), ' '.repeat(300)],
];

/** Creates a text of unusual pieces. One in ten is long. */
export function oddText(random: Random, maxPieces = 30): string {
  const count = random.below(random.below(10) === 0 ? maxPieces * 20 : maxPieces);
  return Array.from({ length: count }, () => random.pick(pieces)).join(random.pick(['', ' ', ',', '\n']));
}

/** Applies one to three random mutations to a text. */
export function mutate(text: string, random: Random): Buffer {
  let answer: RawAnswer = { status: 200, headers: {}, body: Buffer.from(text) };
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    answer = { ...answer, body: random.pick(Object.values(mutations))(answer, random).body };
  }
  return answer.body;
}
