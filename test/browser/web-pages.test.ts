import { test } from 'vitest';
import { hasBrowser, noBrowserReason, useBrowser } from '../helpers/browser.ts';
import { describeIf } from '../helpers/skips.ts';
import { checkPages } from './web-pages.ts';

const browsers = useBrowser();

describeIf(hasBrowser, noBrowserReason, 'our own web pages', () => {
  test("the bot's web pages are accessible in dark colours and fit a narrow screen", () =>
    checkPages(browsers, { colorScheme: 'dark', width: 320 }));
});
