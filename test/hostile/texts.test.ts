import { load } from 'cheerio';
import { expect, test } from 'vitest';
import { shorten } from '../../src/exchange/service-text.ts';
import { escaped } from '../../src/features/common/page.ts';
import {
  button,
  confirmation,
  header,
  line,
  list,
  menu,
  note,
  option,
  plain,
  problem,
  section,
} from '../../src/slack/blocks.ts';
import { fitMiddle, limits, truncateText } from '../../src/slack/limits.ts';
import { escapeMrkdwn, oneLine } from '../../src/slack/words.ts';
import { anyCodePoint, fc, runs } from '../helpers/properties.ts';

/** Markup that Slack would render if it parsed untrusted text. */
const markup = fc.constantFrom(
  '<!channel>',
  '<!here|here>',
  '<@U12345678>',
  '<#C12345678|general>',
  '<https://evil.example|your bank>',
  '<mailto:a@b.example|x>',
  '&lt;!channel&gt;',
  '&amp;lt;',
  '*b* _i_ ~s~ `c` > q',
  ':tada:',
  '\u2028\r\n\t\0\u0007',
  '😀👩‍👩‍👧‍👦',
);
const untrusted = fc
  .array(
    fc.oneof(markup, fc.string({ unit: anyCodePoint, maxLength: 20 }), fc.string({ unit: 'grapheme', maxLength: 400 })),
  )
  .map((parts) => parts.join(''));
const wellFormed = untrusted.map((text) => text.toWellFormed());

test('text is shortened at the end or in the middle, never within a character', () => {
  fc.assert(
    fc.property(wellFormed, fc.integer({ min: 1, max: 3_000 }), (text, maxLength) => {
      for (const cut of [truncateText(text, maxLength), fitMiddle(text, maxLength)]) {
        expect(cut.length).toBeLessThanOrEqual(maxLength);
        expect(cut.isWellFormed()).toBe(true);
        if (text.length <= maxLength) expect(cut).toBe(text);
        else expect(cut).toContain('…');
      }
      expect(text.startsWith(truncateText(text, maxLength).replace(/…$/, ''))).toBe(true);
    }),
    runs(1_000),
  );
});

test('text from the service becomes one line of limited length', () => {
  fc.assert(
    fc.property(untrusted, fc.nat(3), (text, times) => {
      const shortened = shorten(text.repeat(times));
      expect(Array.from(shortened).length).toBeLessThanOrEqual(200);
      expect(shortened).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    }),
    runs(500),
  );
});

/** Lists all displayed texts, each with the type of its element. */
function textsIn(content: unknown, found: { kind: string; text: string }[] = []): { kind: string; text: string }[] {
  if (typeof content !== 'object' || content === null) return found;
  const { type, text } = content as { type?: unknown; text?: unknown };
  if (typeof text === 'string') found.push({ kind: String(type), text });
  for (const value of Object.values(content)) textsIn(value, found);
  return found;
}

test('untrusted text in any block is plain text, never a mention, link or date', () => {
  fc.assert(
    fc.property(untrusted, (text) => {
      const blocks = [
        plain(text),
        header(text),
        section(text),
        note(text),
        problem(text),
        button(text, 'a', { accessibilityLabel: text }),
        confirmation(text, text, text, text),
        option(text, 'value', text),
        menu('a', [[text, 'value']]),
        line(text, { bold: text }, { code: text }),
        list([[text], [{ bold: text }]]),
      ];
      const texts = textsIn(blocks);
      expect(texts.length).toBeGreaterThan(11);
      for (const { kind, text: shownText } of texts) {
        expect(kind).toMatch(/^(plain_text|text)$/);
        expect(shownText.length).toBeLessThanOrEqual(limits.text);
        const withoutBidi = text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
        if (shownText.length < 20 && shownText !== ' ')
          expect(`⚠️ ${withoutBidi}`).toContain(shownText.replace(/…$/, ''));
      }
      expect(JSON.stringify(blocks)).not.toMatch(/"type":"(mrkdwn|user|usergroup|broadcast|link|channel|emoji|date)"/);
      expect(JSON.stringify(blocks)).not.toContain('"emoji":true');
    }),
    runs(500),
  );
});

test('untrusted text in mrkdwn is escaped, even if it is shortened', () => {
  const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };
  fc.assert(
    fc.property(untrusted, fc.integer({ min: 1, max: 200 }), (text, maxLength) => {
      const escapedText = escapeMrkdwn(text);
      expect(escapedText).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
      expect(escapedText.replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? '')).toBe(text);
      expect(truncateText(escapedText, maxLength)).not.toMatch(/[<>]/);
    }),
    runs(1_000),
  );
});

test('oneLine leaves no line break or control character in untrusted text', () => {
  fc.assert(
    fc.property(untrusted, (text) => {
      expect(oneLine(text)).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect(oneLine(oneLine(text))).toBe(oneLine(text));
    }),
    runs(500),
  );
});

test('untrusted text on a page is escaped', () => {
  const html = fc.oneof(
    untrusted,
    fc.constantFrom(
      '<script>x</script>',
      '"><img src=x onerror=x>',
      "' onfocus=x '",
      '</b></p><form>',
      '&#60;b&#62;',
      '<!--',
    ),
  );
  fc.assert(
    fc.property(html, (text) => {
      // HTML parsers normalise line breaks and drop NUL.
      const normalized = text.toWellFormed().replace(/\r\n?/g, '\n').replaceAll('\0', '');
      const page = load(`<p title="${escaped(normalized)}">${escaped(normalized)}</p>`, null, false);
      expect(page.root().children()).toHaveLength(1);
      expect(page('p').children()).toHaveLength(0);
      expect(page('p').text()).toBe(normalized);
      expect(page('p').attr()).toEqual({ title: normalized });
    }),
    runs(500),
  );
});
