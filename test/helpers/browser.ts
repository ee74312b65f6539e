import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest';
import { hasBrowser, launch, noBrowserReason } from './chromium.ts';

export { hasBrowser, noBrowserReason };

export interface PageOptions {
  colorScheme?: 'light' | 'dark';
  width?: number;
}

export interface Browsers {
  /** Opens a separate page. The test fails if the page had script errors. */
  open(url: string, options?: PageOptions): Promise<Page>;
}

interface Tab {
  page: Page;
  /** Script errors since the page was opened. */
  errors: string[];
}

/** Call this at the top of a test file. */
export function useBrowser(): Browsers {
  let browser: Browser | undefined;
  let context: BrowserContext | undefined;
  /**
   * Tabs are reused, because a new tab or profile costs more than its page. Tests use different addresses, so no
   * storage carries over.
   */
  const idle: Tab[] = [];
  beforeAll(async () => {
    if (!hasBrowser) return;
    browser = await launch(inject('browserFolder'));
    context = await browser.newContext({ locale: 'en-GB' });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
  });

  async function openTab(): Promise<Tab> {
    if (context === undefined) throw new Error('no browser is available');
    const page = await context.newPage();
    page.setDefaultTimeout(40_000);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error.stack)));
    page.on('console', (line) => {
      // The browser also logs refused requests. The page shows those itself, and tests check it.
      if (line.type() === 'error' && !line.text().startsWith('Failed to load resource')) errors.push(line.text());
    });
    return { page, errors };
  }

  return {
    async open(url, { colorScheme = 'light', width = 1280 } = {}) {
      const tab = idle.pop() ?? (await openTab());
      const { page, errors } = tab;
      onTestFinished(async () => {
        await page.goto('about:blank');
        expect(errors.splice(0)).toEqual([]);
        idle.push(tab);
      });
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.goto(url);
      return page;
    },
  };
}

const axe = createRequire(import.meta.url).resolve('axe-core');

/** Lists axe-core violations with their locations, including best practices and labels that differ from their text. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  // axe is injected through the debugger, because the page's CSP blocks other scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(axe, 'utf8'));
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: Axe }).axe.run({ rules: { 'label-content-name-mismatch': { enabled: true } } }),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`),
  );
}

interface Axe {
  run(options: object): Promise<{
    violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[];
  }>;
}
