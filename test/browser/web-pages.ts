import { createServer } from 'node:http';
import { expect } from 'vitest';
import { pageHeaders } from '../../src/features/common/page.ts';
import { accessibilityViolations, type Browsers, type PageOptions } from '../helpers/browser.ts';
import { serve } from '../helpers/serve.ts';
import { webPages } from '../views/pages.ts';

/** Expects that each of our own web pages is accessible and fits the screen. */
export async function checkPages(browsers: Browsers, options: Required<PageOptions>): Promise<void> {
  const names = Object.keys(webPages);
  const server = createServer(({ url = '' }, response) =>
    response.writeHead(200, pageHeaders).end(webPages[names[Number(url.slice(1))] ?? '']),
  );
  const url = await serve(server);
  const page = await browsers.open(url, options);
  for (const [number, name] of names.entries()) {
    await page.goto(`${url}/${number}`);
    expect(await accessibilityViolations(page), name).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(options.width);
  }
}
