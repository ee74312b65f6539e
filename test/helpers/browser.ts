import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest';
import { hasBrowser, launch, noBrowser } from './chromium.ts';

export { hasBrowser, noBrowser };

export interface Browsers {
  /** A page of its own. When the test is over it must have had no script error. */
  open(url: string, options?: BrowserContextOptions): Promise<Page>;
}

/** Call it at the top of a test file. */
export function useBrowser(): Browsers {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (!hasBrowser) return;
    browser = await launch(inject('browserFolder'));
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
  });
  return {
    async open(url, options = {}) {
      if (browser === undefined) throw new Error('there is no browser');
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(40_000);
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error.stack)));
      page.on('console', (line) => {
        // The browser itself logs what the server refuses; the page says that to the person, which tests look at.
        if (line.type() === 'error' && !line.text().startsWith('Failed to load resource')) errors.push(line.text());
      });
      onTestFinished(async () => {
        await context.close();
        expect(errors).toEqual([]);
      });
      await page.goto(url);
      return page;
    },
  };
}

const axe = createRequire(import.meta.url).resolve('axe-core');

/** What axe-core holds for a serious or critical fault, each with where it is. */
export async function faultsOf(page: Page): Promise<string[]> {
  // By the debugger's door: the page's own rules let no foreign script in.
  await page.evaluate(await readFile(axe, 'utf8'));
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: Axe }).axe.run());
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
}

interface Axe {
  run(): Promise<{
    violations: { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }[];
  }>;
}
