import { expect, test } from 'vitest';
import { didYouMean, wordsOf } from '../../src/slack/command-text.ts';
import { joinRoutes } from '../../src/slack/routes.ts';
import { anyText, fc, inherited, runs } from '../helpers/properties.ts';

test("smart quotes, any whitespace and Slack's markup are parsed into the typed words", () => {
  const word = fc.stringMatching(/^[a-z0-9.+_-]{1,12}$/);
  const written = fc.oneof(
    word.map((text) => [text, text]),
    fc.tuple(word, word).map(([one, other]) => [`${one} ${other}`, `“${one} ${other}”`]),
    word.map((text) => [`${text}@example.org`, `<mailto:${text}@example.org|${text}@example.org>`]),
    fc.stringMatching(/^\d{5,12}$/).map((digits) => [`+${digits}`, `<tel:+${digits}|+${digits}>`]),
    word.map((text) => [`https://${text}.example/?a&b`, `<https://${text}.example/?a&amp;b>`]),
    word.map((text) => [`<!${text}>`, `&lt;!${text}&gt;`]),
  );
  const space = fc.constantFrom(' ', '  ', '\u00a0', '\t', '\n', '\u2003');
  fc.assert(
    fc.property(fc.array(fc.tuple(written, space), { maxLength: 6 }), (typed) => {
      const text = typed.map(([[, as], between]) => `${as}${between}`).join('');
      expect(wordsOf(text)).toEqual(typed.map(([[meant]]) => meant));
    }),
    runs(500),
  );
});

test('any text parses quickly, and a suggestion is always an existing command', () => {
  const commands = ['help', 'send', 'contacts', 'receivers'];
  fc.assert(
    fc.property(fc.oneof(anyText, inherited), (text) => {
      expect(wordsOf(text).join('').length).toBeLessThanOrEqual(text.length);
      expect([undefined, ...commands]).toContain(didYouMean(text, commands));
    }),
    runs(500),
  );
  for (const part of ['<tel:', '<https:', '"', '<mailto:|', '&lt;', ' "']) {
    const started = performance.now();
    expect(wordsOf(part.repeat(50_000)).length).toBeLessThan(100_001);
    expect(performance.now() - started).toBeLessThan(2_000);
  }
});

test('no command, button or form is found by a name inherited from Object.prototype', () => {
  const routes = joinRoutes([{ commands: {}, actions: {}, forms: {}, options: {}, shortcuts: {}, events: {} }]);
  fc.assert(
    fc.property(inherited, (name) => {
      for (const kind of Object.values(routes)) expect(kind[name]).toBeUndefined();
    }),
  );
});
