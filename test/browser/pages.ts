import { join } from 'node:path';
import type { App } from '@slack/bolt';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { type PageOptions, useBrowser } from '../helpers/browser.ts';
import { startBot } from '../sandbox/slack/bot.ts';
import { setUpWorkspace, type TestWorkspace } from '../sandbox/slack/helper.ts';

export interface WorkspacePage {
  setup: TestWorkspace;
  page: Page;
  /** Opens the same workspace in another tab. */
  openTab(options?: PageOptions & { as?: string }): Promise<Page>;
}

/** Call this at the top of a test file. Shows a simulated workspace with a small bot in a browser. */
export function usePages(): (listen: (app: App) => void) => Promise<WorkspacePage> {
  const browsers = useBrowser();
  return async (listen) => {
    const setup = await setUpWorkspace({ pageScripts: join(inject('programs'), 'src/sandbox/slack/page/client') });
    await startBot(setup, listen);
    const page = await browsers.open(setup.slack.url);
    return {
      setup,
      page,
      openTab: ({ as = '', ...options } = {}) => browsers.open(`${setup.slack.url}/#${as}`, options),
    };
  };
}

/** Sends a message or command in the open conversation. */
export async function sendMessage(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Message (#|to )/ }).fill(text);
  await page.keyboard.press('Enter');
}

/** The aria-label of the focused element. */
export function focusedLabel(page: Page): Promise<string | null> {
  return page.locator(':focus').getAttribute('aria-label');
}

/** A value from the panel beside the workspace, by its label. */
export async function panelValue(page: Page, label: string): Promise<string> {
  const row = page.getByRole('complementary', { name: 'Outside Slack' }).locator('.facts > div');
  return row.filter({ hasText: label }).locator('code').first().innerText();
}

export async function pick(page: Page, field: string, typed: string, option: string | RegExp = typed): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).fill(typed);
  await page.getByRole('option', { name: option }).first().click();
}

export async function switchTo(page: Page, person: string): Promise<void> {
  await page.getByRole('button', { name: person }).click();
  await expect.poll(() => page.title()).toContain(person.split(' ')[0]);
}

export async function goTo(page: Page, destination: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Channels and people' })
    .getByRole('button', { name: destination })
    .click();
  await page.getByRole('heading', { level: 1, name: destination }).waitFor();
}

export async function openInNewTab(page: Page, link: string): Promise<Page> {
  const opening = page.context().waitForEvent('page');
  await page.getByRole('link', { name: link }).first().click();
  return opening;
}

/** Makes the click and resolves with the bytes that it downloads. */
export async function downloadByClick(page: Page, click: () => Promise<void>): Promise<Buffer> {
  const download = page.waitForEvent('download');
  await click();
  const pieces: Buffer[] = [];
  for await (const piece of await (await download).createReadStream()) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** The timeout of a test that plays a whole story, long enough for a busy machine. */
export const storyMs = 300_000;
