import { load } from 'cheerio';
import { expect, test } from 'vitest';
import { allSamples } from '../views/all-samples.ts';
import { webPages } from '../views/pages.ts';
import { galleryHtml } from './page.ts';

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
