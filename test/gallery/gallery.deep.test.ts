import { load } from 'cheerio';
import { expect, test } from 'vitest';
import { allSamples } from '../views/all-samples.ts';
import { webPages } from '../views/pages.ts';
import { galleryHtml, sampleHtml } from './page.ts';

test('the gallery shows every sample and web page in light and dark, none empty', async () => {
  const page = load(await galleryHtml());
  const samples = (await allSamples()).map(({ feature, name }) => `${feature}: ${name}`);
  const pages = Object.keys(webPages).map((name) => `page: ${name}`);
  const sampleElements = page('.sample').toArray();
  expect(sampleElements.map(({ attribs }) => attribs['data-sample'])).toEqual([...samples, ...pages]);
  for (const sample of sampleElements) {
    const name = sample.attribs['data-sample'];
    const drawn = page(sample).children('.light, .dark').toArray();
    expect(
      drawn.map(({ tagName, children }) => tagName === 'iframe' || children.length > 0),
      name,
    ).toEqual([true, true]);
    const blocks = page(sample).find('.block').toArray();
    expect(blocks.filter(({ children }) => children.length === 0).length, name).toBe(0);
    expect(blocks.length > 0 || drawn.every(({ attribs }) => attribs.srcdoc), name).toBeTruthy();
  }
});

test('the gallery refuses a sample that Slack would refuse, and says why', () => {
  const sample = {
    text: 'Sent',
    blocks: [{ type: 'header' as const, text: { type: 'plain_text' as const, text: '' } }],
  };
  expect(() => sampleHtml({ feature: 'send', name: 'card', sample })).toThrow(
    /^send: card: invalid_blocks\n.*must be more than 0 characters.*\/blocks\/0\/text\/text/,
  );
});
