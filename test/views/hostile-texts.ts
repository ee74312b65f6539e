import type { HomeView, KnownBlock, ModalView } from '@slack/types';

/** A view, or a message with its blocks and fallback text. */
export type Sample = ModalView | HomeView | { text: string; blocks: KnownBlock[] };
export type Samples = Record<string, Sample>;

/** Texts that outsiders could send: too long, odd or dangerous. */
export const hostileTexts: Record<string, string> = {
  mention: '<!channel> <@U123> <https://evil.example|click>',
  markup: '*bold* _it_ ~gone~ `code` ```block``` > quote :smile: &amp; &lt;',
  rightToLeft: '\u202Egpj.exe مرحبا \u200F',
  longest: `${'x'.repeat(251)}.pdf`,
  widest: `${'漢'.repeat(83)}.doc`,
  emoji: '👩‍👩‍👧‍👦'.repeat(30),
  lines: 'one\ntwo\r\nthree\u2028four\tfive',
  empty: '',
  space: '   ',
  quotes: `"it's" «so» \\ % / \u0000`,
  huge: 'word '.repeat(2_000),
};

export const hostileList = Object.values(hostileTexts);

/** A very long address, and one with characters that Slack's markup uses. */
export const hostileEmails = [
  `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.se`,
  "o'brien+*_`~&<!here>@example.org",
];
