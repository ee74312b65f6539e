import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hasBrowser, noBrowser, useBrowser } from '../helpers/browser.ts';
import { usePrograms } from '../helpers/program.ts';
import { runSandbox } from '../helpers/sandbox.ts';
import { describeIf } from '../helpers/skips.ts';
import { say } from './stage.ts';

const programs = usePrograms();
const browsers = useBrowser();

async function fact(page: Page, label: string): Promise<string> {
  const row = page.getByRole('complementary', { name: 'The outside world' }).locator('.facts > div');
  return row.filter({ hasText: label }).locator('code').innerText();
}

async function pick(page: Page, field: string, typed: string, words: string | RegExp = typed): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).fill(typed);
  await page.getByRole('option', { name: words }).first().click();
}

async function become(page: Page, who: string): Promise<void> {
  await page.getByRole('button', { name: who }).click();
  await expect.poll(() => page.title()).toContain(who.split(' ')[0]);
}

async function goTo(page: Page, place: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Channels and people' }).getByRole('button', { name: place }).click();
  await page.getByRole('heading', { level: 1, name: place }).waitFor();
}

async function openedBy(page: Page, link: string): Promise<Page> {
  const opening = page.context().waitForEvent('page');
  await page.getByRole('link', { name: link }).first().click();
  return opening;
}

/** What a click brings onto the disk. */
async function downloaded(page: Page, click: () => Promise<void>): Promise<Buffer> {
  const coming = page.waitForEvent('download');
  await click();
  const pieces: Buffer[] = [];
  for await (const piece of await (await coming).createReadStream()) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** A machine that does much else at the same time takes its time for a whole story. */
const storyMs = 120_000;

describeIf(hasBrowser, noBrowser, 'the sandbox', () => {
  test(
    'a newcomer connects, adds a contact, shares a file, sends it, and downloads the same bytes as its receiver',
    async () => {
      const sandbox = await runSandbox(programs);
      const page = await browsers.open(await sandbox.url());

      await say(page, '/drop connect');
      await page.getByRole('textbox', { name: 'Address of the service' }).fill(await fact(page, 'Address'));
      await page.getByRole('textbox', { name: "The account's e-mail address" }).fill(await fact(page, 'Account'));
      await page.getByRole('textbox', { name: 'API key' }).fill('not the key');
      await pick(page, 'Channel for incoming files', '#inbox');
      await pick(page, 'What does a time to live count?', 'days');
      await page.getByRole('button', { name: 'Test and connect' }).click();
      await page.getByText('The service refuses this account and key.').waitFor();
      await page.getByRole('textbox', { name: 'API key' }).fill(await fact(page, 'API key'));
      await page.getByRole('button', { name: 'Test and connect' }).click();
      await page.getByText('is connected to the file service as').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'inbox new messages' }).waitFor();

      await become(page, 'Bo member');
      await say(page, '/drop contacts');
      await page.getByRole('button', { name: 'Add a contact' }).click();
      await page.getByRole('textbox', { name: 'E-mail address' }).fill('ada@partner.example');
      await page.getByRole('button', { name: 'Add this contact' }).click();
      await page.getByText('ada@partner.example is already a contact.').waitFor();
      await page.getByRole('textbox', { name: 'E-mail address' }).fill('fia@example.org');
      await page.getByRole('button', { name: 'Add this contact' }).click();
      await page.getByText('Done: 1 contact added.').waitFor();
      await page.keyboard.press('Escape');

      await goTo(page, 'Dropline');
      const buffer = randomBytes(300_000);
      await page.getByLabel('Attach files').setInputFiles([{ name: 'plan.pdf', mimeType: 'application/pdf', buffer }]);
      await page.getByRole('button', { name: 'Send now' }).click();
      await page.getByRole('button', { name: 'Send 1 file …' }).click();
      await pick(page, 'To', 'fia', /fia@example\.org/);
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Here you are');
      await page.getByRole('button', { name: 'Check before sending' }).click();
      await page.getByRole('button', { name: 'Send 1 file to 1 person' }).click();
      await page.getByText('It is on its way.').waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('✅ Sent').waitFor();

      const receiver = await openedBy(page, 'Open the page of fia@example.org');
      await receiver.getByText('Here you are').waitFor();
      const taken = await downloaded(receiver, () => receiver.getByRole('link', { name: 'Download plan.pdf' }).click());
      expect(taken.equals(buffer)).toBe(true);
      await expect.poll(() => page.getByText('(done)').count()).toBe(3);

      await become(page, 'Gus guest');
      await say(page, '/drop send');
      await page.getByText('Guests, bots and people from other organisations cannot use Dropline here.').waitFor();
      expect(await sandbox.interrupt()).toEqual({ code: 0, signal: null });
    },
    storyMs,
  );

  test(
    'connected already: a contact is asked for files, uploads them on the own page, and whoever asked downloads them',
    async () => {
      const sandbox = await runSandbox(programs, ['--connected']);
      const page = await browsers.open(await sandbox.url());
      await say(page, '/drop settings');
      await page.getByRole('button', { name: 'Change service options' }).click();
      await page.getByRole('radio', { name: /^On/ }).check();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Asking for files is switched on').waitFor();
      await page.getByRole('button', { name: 'Close', exact: true }).first().click();

      await say(page, '/drop request');
      await pick(page, 'Who should send you files?', 'grace', /grace@press\.example/);
      await page.getByRole('textbox', { name: 'Message to them' }).fill('Please send the picture.');
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByRole('button', { name: 'Ask 1 person' }).click();
      const contact = await openedBy(page, 'Open the page of grace@press.example');
      const buffer = randomBytes(50_000);
      await contact.getByLabel('Choose files').setInputFiles([{ name: 'view.jpg', mimeType: 'image/jpeg', buffer }]);
      await contact.getByRole('button', { name: 'Send files' }).click();
      await contact.getByRole('heading', { name: 'Thank you' }).waitFor();

      await goTo(page, 'Dropline');
      await page.getByText('grace@press.example sent 1 file').waitFor();
      await page.getByRole('button', { name: /repl/ }).first().click();
      await page.getByRole('button', { name: 'Download view.jpg' }).click();
      const taken = await downloaded(page, () => page.getByRole('link', { name: 'view.jpg' }).first().click());
      expect(taken.equals(buffer)).toBe(true);
    },
    storyMs,
  );
});
