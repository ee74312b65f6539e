import type { HomeView, KnownBlock, ModalView } from '@slack/types';

/** What a feature shows, by a name: a view, or the blocks of a message with the text that stands for them. */
export type Sample = ModalView | HomeView | { text: string; blocks: KnownBlock[] };
export type Samples = Record<string, Sample>;

/** Texts that strangers could send, each of them longer, stranger or more dangerous than it should be. */
export const nastyTexts: Record<string, string> = {
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

export const nastyList = Object.values(nastyTexts);

/** An address as long as addresses may be, and one with everything in it that may be in one. */
export const nastyEmails = [
  `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.se`,
  "o'brien+*_`~&<!here>@example.org",
];
