import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { pageHeaders } from '../../src/features/common/page.ts';
import { accessibilityViolations, hasBrowser, noBrowser, useBrowser } from '../helpers/browser.ts';
import { serve } from '../helpers/serve.ts';
import { describeIf } from '../helpers/skips.ts';
import { webPages } from '../views/pages.ts';

const browsers = useBrowser();
const looks = [
  { colorScheme: 'light', width: 320 },
  { colorScheme: 'dark', width: 1280 },
] as const;

describeIf(hasBrowser, noBrowser, 'our own web pages', () => {
  test.each(looks)('are accessible and fit the screen ($colorScheme, $width pixels)', async (look) => {
    const names = Object.keys(webPages);
    const server = createServer(({ url = '' }, response) =>
      response.writeHead(200, pageHeaders).end(webPages[names[Number(url.slice(1))] ?? '']),
    );
    const url = await serve(server);
    const page = await browsers.open(url, look);
    for (const [number, name] of names.entries()) {
      await page.goto(`${url}/${number}`);
      expect(await accessibilityViolations(page), name).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(look.width);
    }
  });
});
