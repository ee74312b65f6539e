import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hasBrowser, noBrowserReason, useBrowser } from '../helpers/browser.ts';
import { usePrograms } from '../helpers/program.ts';
import { runSandbox } from '../helpers/sandbox.ts';
import { describeIf } from '../helpers/skips.ts';
import { downloadByClick, goTo, openInNewTab, panelValue, pick, sendMessage, storyMs, switchTo } from './pages.ts';

const programs = usePrograms();
const browsers = useBrowser();

describeIf(hasBrowser, noBrowserReason, 'the sandbox', () => {
  test(
    'a newcomer connects by hand, sends a file to a new contact and uninstalls',
    async () => {
      const sandbox = await runSandbox(programs);
      const page = await browsers.open(await sandbox.url());

      await sendMessage(page, '/drop connect');
      await page.getByRole('textbox', { name: 'Service URL' }).fill(await panelValue(page, 'Service URL'));
      await page.getByRole('textbox', { name: 'Account email' }).fill(await panelValue(page, 'Account'));
      await pick(page, 'Channel for incoming files', '#inbox');
      await pick(page, 'Expiry is counted in', 'days');
      await page.getByRole('button', { name: 'Next', exact: true }).click();
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
      await page.getByRole('button', { name: 'Send now', exact: true }).click();
      await page.getByRole('button', { name: 'Send 1 file…' }).click();
      await pick(page, 'To', 'fia', /fia@example\.org/);
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Here you are');
      await page.getByRole('button', { name: 'Review' }).click();
      await page.getByRole('button', { name: 'Send 1 file to 1 person' }).click();
      await page.getByText("I'll update you in our direct messages.").waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Send now: plan.pdf' }).click();
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
