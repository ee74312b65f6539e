import { test } from 'vitest';
import { hasBrowser, noBrowserReason, useBrowser } from '../helpers/browser.ts';
import { describeIf } from '../helpers/skips.ts';
import { checkPages } from './web-pages.ts';

const browsers = useBrowser();

describeIf(hasBrowser, noBrowserReason, 'our own web pages', () => {
  test("the bot's web pages are accessible in light colours on a wide screen", () =>
    checkPages(browsers, { colorScheme: 'light', width: 1280 }));
});
