import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityViolations, hasBrowser, noBrowserReason, useBrowser } from '../helpers/browser.ts';
import { usePrograms } from '../helpers/program.ts';
import { runSandbox } from '../helpers/sandbox.ts';
import { describeIf } from '../helpers/skips.ts';
import { goTo, pick, sendMessage, storyMs, switchTo } from './pages.ts';

const programs = usePrograms();
const browsers = useBrowser();

const click = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click();

async function choose(page: Page, menu: string, item: string): Promise<void> {
  await click(page, menu);
  await page.getByRole('menuitem', { name: item }).click();
}

async function closeDialog(page: Page): Promise<void> {
  await click(page, 'Close');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Fills in the send form and opens the review. */
async function review(page: Page, size: number): Promise<void> {
  await sendMessage(page, '/drop send');
  await pick(page, 'To', 'ada', /ada@partner\.example/);
  const file = { name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(size) };
  await page.getByLabel('Files', { exact: true }).setInputFiles([file]);
  await click(page, 'Review');
}

describeIf(hasBrowser, noBrowserReason, 'the sandbox', () => {
  test(
    'outages, malware and roles can be caused by one click and undone by another',
    async () => {
      const sandbox = await runSandbox(programs, ['--connected']);
      const page = await browsers.open(await sandbox.url());
      await goTo(page, 'Dropline');

      await review(page, 9_000_000);
      await click(page, 'Service gets slow');
      await click(page, 'Send 1 file to 1 person');
      await page.getByRole('dialog').getByRole('button', { name: 'Send now: film.mp4' }).click();
      await page.keyboard.press('Escape');
      await page.getByText(/\d% · .* of 9\.0 MB/).waitFor();
      await click(page, /^Cancel/);
      await click(page, 'Cancel transfer');
      await click(page, 'Service is fast again');
      await page.getByText('Nothing was sent.').waitFor();

      await click(page, 'Service goes down');
      await sendMessage(page, '/drop contacts');
      await page.getByText("Couldn't read the contacts: the service isn't running at this address.").waitFor();
      await click(page, 'Service is back');
      await closeDialog(page);

      await click(page, 'Next file is infected');
      await review(page, 1_000);
      await click(page, 'Send 1 file to 1 person');
      await page.getByRole('dialog').getByRole('button', { name: 'Send now: film.mp4' }).click();
      await page.getByText('Malware found in “film.mp4”').first().waitFor();
      await page.keyboard.press('Escape');

      await choose(page, 'Leave', 'Dropline leaves #inbox');
      await click(page, 'Linus sends a file');
      await page.getByText("I'm no longer in it. Type /invite @dropline there.").waitFor();
      await choose(page, 'Join', 'Dropline joins #inbox');

      await click(page, 'API key is refused');
      await page.getByText("The file service rejects this workspace's API key.").waitFor();
      await click(page, 'API key works again');

      await choose(page, 'Role', 'Bo becomes a guest');
      await switchTo(page, 'Bo guest');
      const refusal = page.getByText("Guests, bots and people from other organisations can't use Dropline here.");
      // The bot knows a new role after a minute at most.
      const isRefused = async () => {
        await sendMessage(page, '/drop send');
        const isShown = await refusal.waitFor({ timeout: 5_000 }).then(
          () => true,
          () => false,
        );
        await closeDialog(page);
        return isShown;
      };
      await expect.poll(isRefused, { timeout: 90_000, interval: 5_000 }).toBe(true);
      await choose(page, 'Role', 'Bo becomes a member');
      await page.getByRole('button', { name: 'Bo member' }).waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
    },
    storyMs,
  );

  test(
    'days pass: a digest, a lapsed approval, a reminder and an expired file appear',
    async () => {
      const sandbox = await runSandbox(programs, ['--connected']);
      const page = await browsers.open(await sandbox.url());
      await goTo(page, 'Dropline');
      await sendMessage(page, '/drop settings');
      await click(page, 'Change inbox channels');
      await click(page, 'Change channel for everything else');
      await pick(page, 'Post', 'Daily at 9:00 AM');
      await click(page, 'Save');
      await page.getByText('Saved.').waitFor();
      await closeDialog(page);
      await sendMessage(page, '/drop settings');
      await click(page, 'Change approvers');
      await pick(page, 'Approvers', 'Bo');
      await page.getByRole('textbox', { name: 'Days to wait for a decision' }).fill('1');
      await click(page, 'Save');
      await page.getByText('Saved.').waitFor();
      await click(page, 'Change approval rules');
      await page.getByRole('checkbox', { name: 'For every transfer' }).check();
      await click(page, 'Save');
      await page.getByText('for every transfer').waitFor();
      await closeDialog(page);
      await review(page, 1_000);
      await click(page, 'Request approval');
      await page.getByText('Waiting for approval').first().waitFor();
      await closeDialog(page);
      await click(page, 'Linus sends a file');
      await click(page, 'An hour passes');
      await page.getByText('It is 1 hour later here.').waitFor();

      await click(page, 'A day passes');
      await page.getByText('It is 1 day 1 hour later here.').waitFor();
      await page.getByText('Not approved in time').first().waitFor();
      await goTo(page, 'inbox');
      await page.getByText('Digest: 1 new item').waitFor();
      for (let day = 2; day <= 6; day += 1) {
        await click(page, 'A day passes');
        await page.getByText(`It is ${day} days 1 hour later here.`).waitFor();
      }
      const reminder = page.getByText(/^Not downloaded yet/);
      await reminder.waitFor();
      for (let day = 7; day <= 8; day += 1) {
        await click(page, 'A day passes');
        await page.getByText(`It is ${day} days 1 hour later here.`).waitFor();
      }
      await page.getByText('No longer available: expired or removed.').first().waitFor();
      expect(await reminder.count()).toBe(1);
    },
    storyMs,
  );
});
