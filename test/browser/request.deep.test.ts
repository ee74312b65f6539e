import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hasBrowser, noBrowserReason, useBrowser } from '../helpers/browser.ts';
import { usePrograms } from '../helpers/program.ts';
import { runSandbox } from '../helpers/sandbox.ts';
import { describeIf } from '../helpers/skips.ts';
import { downloadByClick, goTo, openInNewTab, pick, sendMessage, storyMs } from './pages.ts';

const programs = usePrograms();
const browsers = useBrowser();

describeIf(hasBrowser, noBrowserReason, 'the sandbox', () => {
  test(
    'a contact uploads requested files, and the requester downloads them',
    async () => {
      const sandbox = await runSandbox(programs, ['--connected']);
      const page = await browsers.open(await sandbox.url());
      await sendMessage(page, '/drop settings');
      await page.getByRole('button', { name: 'Change service options' }).click();
      await page.getByRole('radio', { name: /^On/ }).check();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('File requests are on.').waitFor();
      await page.getByRole('button', { name: 'Close', exact: true }).first().click();

      await sendMessage(page, '/drop request');
      await pick(page, 'Request from', 'grace', /grace@press\.example/);
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Please send the picture.');
      await page.getByRole('button', { name: 'Review' }).click();
      await page.getByRole('button', { name: 'Request from 1 person' }).click();
      await page.getByText('Requested files from 1 person').first().waitFor();
      await page.getByRole('button', { name: 'Close', exact: true }).first().click();
      const contact = await openInNewTab(page, 'Open link for grace@press.example');
      const buffer = randomBytes(50_000);
      await contact.getByLabel('Choose files').setInputFiles([{ name: 'view.jpg', mimeType: 'image/jpeg', buffer }]);
      await contact.getByRole('button', { name: 'Send files' }).click();
      await contact.getByRole('heading', { name: 'Thank you' }).waitFor();

      await goTo(page, 'Dropline');
      await page.getByText('grace@press.example sent 1 file').waitFor();
      await page.getByRole('button', { name: /repl/ }).first().click();
      await page.getByRole('log', { name: 'Replies' }).getByRole('button', { name: 'Download view.jpg' }).click();
      const bytes = await downloadByClick(page, () => page.getByRole('link', { name: 'view.jpg' }).first().click());
      expect(bytes.equals(buffer)).toBe(true);
    },
    storyMs,
  );
});
