import { expect, test } from 'vitest';
import { accessibilityViolations, hasBrowser, noBrowserReason, useBrowser } from '../helpers/browser.ts';
import { usePrograms } from '../helpers/program.ts';
import { runSandbox } from '../helpers/sandbox.ts';
import { describeIf } from '../helpers/skips.ts';
import { openInNewTab, pick, sendMessage } from './pages.ts';

const programs = usePrograms();
const browsers = useBrowser();

/** axe-core takes seconds per screen on a busy machine. */
const timeoutMs = 600_000;

describeIf(hasBrowser, noBrowserReason, 'the sandbox', () => {
  test(
    'axe-core finds no problem on the main screens',
    async () => {
      const sandbox = await runSandbox(programs);
      const page = await browsers.open(await sandbox.url());
      const found: string[] = [];
      const check = async (screen: string, checkedPage = page) =>
        void found.push(...(await accessibilityViolations(checkedPage)).map((violation) => `${screen}: ${violation}`));
      const click = (name: string) => page.getByRole('button', { name, exact: true }).first().click();

      await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
      await check('greeting');
      await click('Connect');
      await click('Fill in for me');
      const unit = page.getByRole('combobox', { name: 'Expiry is counted in' });
      await expect.poll(() => unit.inputValue(), { timeout: 60_000 }).toBe('days');
      await check('connect form');
      await click('Next');
      const keyPage = await openInNewTab(page, 'Open page');
      await check('sign-in', keyPage);
      await keyPage.getByRole('link', { name: 'Sign in with Slack' }).click();
      await keyPage.getByRole('radio', { name: 'Anna' }).check();
      await keyPage.getByRole('button', { name: 'Allow' }).click();
      await keyPage.getByLabel('API key').waitFor();
      await check('key page', keyPage);
      await keyPage.close();
      await click('Enter the key for me');
      await page.getByRole('dialog', { name: 'Connected' }).waitFor();
      await check('connected');

      await click('Send files');
      await pick(page, 'To', 'ada', /ada@partner/);
      await page.getByLabel('Files', { exact: true }).setInputFiles([
        { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') },
        { name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('b') },
      ]);
      await page.getByText('b.txt').waitFor();
      await check('send form');
      await click('Review');
      await page.getByRole('button', { name: 'Send 2 files to 1 person' }).waitFor();
      await check('review');
      await click('Send 2 files to 1 person');
      await page.getByRole('dialog').getByText('Until then, you can undo it.').waitFor();
      await check('undo');
      await page.getByRole('dialog').getByRole('button', { name: 'Send now: a.txt' }).click();
      await page.getByText('✅ Sent').first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await check('card');
      const recipientPage = await openInNewTab(page, 'Open link for ada@partner.example');
      await recipientPage.getByRole('link', { name: 'Download all' }).waitFor();
      await check('recipient page', recipientPage);
      await recipientPage.close();

      for (const command of ['help', 'help send']) {
        await sendMessage(page, `/drop ${command}`);
        await page.getByText(command === 'help' ? 'For steps and an example' : 'Example:').waitFor();
        await check(command);
      }
      for (const command of ['contacts', 'inbox', 'history', 'status', 'settings', 'audit', 'files', 'recipients']) {
        await sendMessage(page, `/drop ${command}`);
        const dialog = page.getByRole('dialog');
        await dialog.waitFor();
        await dialog.getByText('One moment…').waitFor({ state: 'detached' });
        await check(command);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
      }
      await click('Home');
      await page.getByRole('heading', { name: 'Recently sent' }).waitFor();
      await check('home');
      expect(found).toEqual([]);
    },
    timeoutMs,
  );
});
