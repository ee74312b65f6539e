import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hasBrowser, noBrowserReason, useBrowser } from '../helpers/browser.ts';
import { usePrograms } from '../helpers/program.ts';
import { runSandbox } from '../helpers/sandbox.ts';
import { describeIf } from '../helpers/skips.ts';
import { storyMs } from './pages.ts';

const programs = usePrograms();
const browsers = useBrowser();
const maxClicks = 10;

/** Counts every mouse click on this page. The double click in the browser's own file dialog counts as one. */
function clickCounter(page: Page) {
  let clicks = 0;
  const click = async (role: 'button' | 'option', name: string | RegExp) => {
    await page.getByRole(role, { name, exact: true }).first().click();
    clicks += 1;
  };
  const chooseFile = async (field: string, name: string) => {
    const dialog = page.waitForEvent('filechooser');
    await page.getByLabel(field, { exact: true }).click();
    await (await dialog).setFiles([{ name, mimeType: 'text/plain', buffer: Buffer.from('the plan') }]);
    clicks += 2;
  };
  return { click, chooseFile, clicks: () => clicks };
}

/** Connects and sends a file with as few clicks as possible. Resolves with the number of clicks. */
async function sendFirstFile(page: Page): Promise<number> {
  const { click, chooseFile, clicks } = clickCounter(page);

  await page.getByText('Hello! I send files to people outside').waitFor();
  await click('button', 'Connect');
  await click('button', 'Fill in for me');
  await expect.poll(() => page.getByRole('combobox', { name: 'Expiry is counted in' }).inputValue()).toBe('days');
  await click('button', 'Next');
  await click('button', 'Enter the key for me');
  await click('button', 'Send files');
  // The form opens with the cursor in its first field.
  await page.getByRole('combobox', { name: 'To', exact: true }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('ada');
  await click('option', /ada@partner\.example/);
  await chooseFile('Files', 'plan.txt');
  await click('button', 'Review');
  await click('button', 'Send 1 file to 1 person');
  // Not counted: without this click, it's sent when it can no longer be undone.
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Send now: / })
    .click();
  await page.getByText('✅ Sent').first().waitFor();
  return clicks();
}

describeIf(hasBrowser, noBrowserReason, 'the sandbox', () => {
  test(
    `a newcomer sends a file in ${maxClicks} clicks`,
    async ({ annotate }) => {
      const start = performance.now();
      const sandbox = await runSandbox(programs);
      const page = await browsers.open(await sandbox.url());
      const clicks = await sendFirstFile(page);
      const seconds = (performance.now() - start) / 1000;
      await annotate(`${clicks} clicks and ${seconds.toFixed(1)} s from the start of the sandbox to the first ✅`);
      expect(clicks).toBeLessThanOrEqual(maxClicks);
      await expect.poll(() => page.getByText('(done)').count()).toBe(2);
      expect(await sandbox.interrupt()).toEqual({ code: 0, signal: null });
    },
    storyMs,
  );
});
