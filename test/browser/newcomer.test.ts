import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hasBrowser, noBrowserReason, useBrowser } from '../helpers/browser.ts';
import { usePrograms } from '../helpers/program.ts';
import { runSandbox } from '../helpers/sandbox.ts';
import { describeIf } from '../helpers/skips.ts';
import { downloadByClick, goTo, openInNewTab, panelValue, pick, sendMessage, storyMs, switchTo } from './pages.ts';

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
  await page.getByText('✅ Sent').first().waitFor();
  return clicks();
}

describeIf(hasBrowser, noBrowserReason, 'the sandbox', () => {
  test(
    `a newcomer sends a file in ${maxClicks} clicks, connects by hand and uninstalls`,
    async ({ annotate }) => {
      const start = performance.now();
      const sandbox = await runSandbox(programs);
      const page = await browsers.open(await sandbox.url());
      const clicks = await sendFirstFile(page);
      const seconds = (performance.now() - start) / 1000;
      await annotate(`${clicks} clicks and ${seconds.toFixed(1)} s from the start of the sandbox to the first ✅`);
      expect(clicks).toBeLessThanOrEqual(maxClicks);
      await expect.poll(() => page.getByText('(done)').count()).toBe(2);
      await page.keyboard.press('Escape');

      await sendMessage(page, '/drop connect');
      await page.getByRole('textbox', { name: 'Service URL' }).fill(await panelValue(page, 'Service URL'));
      await page.getByRole('textbox', { name: 'Account email' }).fill(await panelValue(page, 'Account'));
      await pick(page, 'Channel for incoming files', '#inbox');
      await pick(page, 'Expiry is counted in', 'days');
      await page.getByRole('button', { name: 'Next' }).click();
      const keyPage = await openInNewTab(page, 'Open page');
      await keyPage.getByRole('link', { name: 'Sign in with Slack' }).click();
      await keyPage.getByRole('radio', { name: 'Anna' }).check();
      await keyPage.getByRole('button', { name: 'Allow' }).click();
      await keyPage.getByLabel('API key').fill('not the key');
      await keyPage.getByRole('button', { name: 'Test and connect' }).click();
      await keyPage.getByText('Wrong account or API key.').waitFor();
      await keyPage.getByLabel('API key').fill(await panelValue(page, 'API key'));
      await keyPage.getByRole('button', { name: 'Test and connect' }).click();
      await keyPage.getByText('Done, go back to Slack.').waitFor();
      await keyPage.close();
      await page.getByRole('dialog', { name: 'Connected' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'inbox new messages' }).waitFor();

      await switchTo(page, 'Bo member');
      await sendMessage(page, '/drop contacts');
      await page.getByRole('button', { name: 'Add contact' }).click();
      await page.getByRole('textbox', { name: 'Email' }).fill('ada@partner.example');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('ada@partner.example is already a contact.').waitFor();
      await page.getByRole('textbox', { name: 'Email' }).fill('fia@example.org');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('Contact added.').waitFor();
      await page.keyboard.press('Escape');

      await goTo(page, 'Dropline');
      const buffer = randomBytes(300_000);
      await page.getByLabel('Attach files').setInputFiles([{ name: 'plan.pdf', mimeType: 'application/pdf', buffer }]);
      await page.getByRole('button', { name: 'Send now' }).click();
      await page.getByRole('button', { name: 'Send 1 file…' }).click();
      await pick(page, 'To', 'fia', /fia@example\.org/);
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Here you are');
      await page.getByRole('button', { name: 'Review' }).click();
      await page.getByRole('button', { name: 'Send 1 file to 1 person' }).click();
      await page.getByText("I'll update you in our direct messages.").waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('✅ Sent').waitFor();

      const recipientPage = await openInNewTab(page, 'Open link for fia@example.org');
      await recipientPage.getByText('Here you are').waitFor();
      const bytes = await downloadByClick(recipientPage, () =>
        recipientPage.getByRole('link', { name: 'Download plan.pdf' }).click(),
      );
      expect(bytes.equals(buffer)).toBe(true);
      await expect.poll(() => page.getByText('(done)').count()).toBe(3);

      await switchTo(page, 'Gus guest');
      await sendMessage(page, '/drop send');
      await page.getByText("Guests, bots and people from other organisations can't use Dropline here.").waitFor();
      await expect.poll(() => page.getByText('(done)').count()).toBe(4);
      await page.getByRole('button', { name: 'Linus sends a file' }).click();
      await expect.poll(() => page.getByText('(done)').count()).toBe(5);

      page.once('dialog', (dialog) => dialog.accept());
      await page.getByRole('button', { name: 'Uninstall Dropline' }).click();
      await page.getByRole('link', { name: 'Install Dropline' }).waitFor();
      expect(await sandbox.interrupt()).toEqual({ code: 0, signal: null });
    },
    storyMs,
  );
});
