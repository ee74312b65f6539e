import { join } from 'node:path';
import type { App } from '@slack/bolt';
import type { Page } from 'playwright-core';
import { inject } from 'vitest';
import { type PageOptions, useBrowser } from '../helpers/browser.ts';
import { startBot } from '../sandbox/slack/bot.ts';
import { type Stage, startStage } from '../sandbox/slack/helper.ts';

export interface Staged {
  stage: Stage;
  page: Page;
  /** The same workspace once more, in a browser of its own. */
  another(options?: PageOptions & { as?: string }): Promise<Page>;
}

/** Call it at the top of a test file: a simulated workspace with a small bot, in a browser. */
export function usePages(): (listen: (app: App) => void) => Promise<Staged> {
  const browsers = useBrowser();
  return async (listen) => {
    const stage = await startStage({ pageScripts: join(inject('programs'), 'src/sandbox/slack/page/client') });
    await startBot(stage, listen);
    const page = await browsers.open(stage.slack.url);
    return {
      stage,
      page,
      another: ({ as = '', ...options } = {}) => browsers.open(`${stage.slack.url}/#${as}`, options),
    };
  };
}

/** Types into the box of the conversation that is open, and sends it. */
export async function say(page: Page, words: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Message (#|to )/ }).fill(words);
  await page.keyboard.press('Enter');
}

/** What a screen reader calls whatever has the focus. */
export function focused(page: Page): Promise<string | null> {
  return page.locator(':focus').getAttribute('aria-label');
}
