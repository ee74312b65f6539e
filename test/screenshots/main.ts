import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { launch } from '../helpers/chromium.ts';

const project = resolve(import.meta.dirname, '../../..');
const outputFolder = join(project, 'test/screenshots');

/** Takes the screenshots of the README in a real browser, from a normal sandbox. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dropline-screenshots-'));
  // As root, Postgres runs under another account, which must be able to traverse the folder.
  await chmod(folder, 0o711);
  const args = [
    join(project, 'dist/sandbox/main.js'),
    '--port',
    '0',
    '--connected',
    '--folder',
    join(folder, 'sandbox'),
  ];
  const sandbox = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(sandbox, 'exit');
  const browser = await launch(folder);
  try {
    await takeScreenshots(browser, await addressIn(sandbox.stdout));
  } finally {
    await browser.close();
    sandbox.kill('SIGINT');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
}

async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const found = /Open +(\S+)/.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error('the sandbox did not start');
}

async function takeScreenshots(browser: Browser, url: string): Promise<void> {
  const light = await open(browser, `${url}#U0BO0000000`, 'light', 1280);
  await light.getByRole('button', { name: 'Dropline', exact: true }).click();
  await light.getByRole('heading', { level: 1, name: 'Dropline' }).waitFor();
  const buffer = Buffer.alloc(2_400_000, 'The plan. ');
  await light.getByLabel('Attach files').setInputFiles([{ name: 'plan.pdf', mimeType: 'application/pdf', buffer }]);
  await light.getByRole('button', { name: 'Send now', exact: true }).click();
  await light.getByRole('button', { name: 'Send 1 file…' }).click();
  await light.getByRole('combobox', { name: 'To', exact: true }).fill('ada');
  await light.getByRole('option', { name: /ada@/ }).click();
  await light.getByRole('combobox', { name: 'To', exact: true }).fill('p');
  await light.getByRole('option').first().waitFor();
  await takeScreenshot(light, 'form');
  await light.keyboard.press('Escape');
  await light.getByRole('textbox', { name: 'Message', exact: true }).fill('Here is the plan, as agreed.');
  await light.getByRole('button', { name: 'Review' }).click();
  await light.getByRole('button', { name: 'Send 1 file to 1 person' }).click();
  await light.getByText("I'll update you in our direct messages.").waitFor();
  await light.keyboard.press('Escape');
  await light.getByRole('button', { name: 'Send now: plan.pdf' }).click();
  await light.getByText('✅ Sent').waitFor();
  await light.getByRole('link', { name: 'Open link for' }).waitFor();
  await takeScreenshot(light, 'sent');

  const dark = await open(browser, `${url}#U0ANNA00000`, 'dark', 1280);
  await dark.getByRole('button', { name: 'Linus sends' }).click();
  await dark.getByRole('button', { name: /^inbox/ }).click();
  await dark.getByRole('button', { name: /^Download/ }).click();
  await dark.getByText('Downloaded by').waitFor();
  await takeScreenshot(dark, 'inbox-dark');

  const anna = await open(browser, `${url}#U0ANNA00000`, 'light', 1280);
  await anna
    .getByRole('navigation')
    .getByRole('button', { name: /^Dropline/ })
    .click();
  await allowRequests(anna);
  await type(anna, '/drop request');
  await pick(anna, 'Request from', 'grace', /grace@/);
  await anna.getByRole('textbox', { name: 'Message', exact: true }).fill('We need these for the contract.');
  await anna.getByRole('textbox', { name: /^Checklist/ }).fill('Passport\nProof of address\nSigned offer');
  await anna.getByRole('button', { name: 'Review' }).click();
  await anna.getByRole('button', { name: 'Request from 1 person' }).click();
  await anna.getByText('Requested files from 1 person').first().waitFor();
  await anna.keyboard.press('Escape');
  const opening = anna.context().waitForEvent('page');
  await anna.getByRole('link', { name: 'Open link for grace@press.example' }).first().click();
  const contact = await opening;
  const passport = { name: 'passport.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(900_000, 1) };
  await contact.getByLabel('Choose files').setInputFiles([passport]);
  await contact.getByRole('button', { name: 'Send files' }).click();
  await contact.getByRole('heading', { name: 'Thank you' }).waitFor();
  await anna.getByRole('button', { name: /repl/ }).first().click();
  await anna.getByRole('button', { name: '⬜ Passport' }).click();
  await anna.getByText('✅ Passport').waitFor();
  await takeScreenshot(anna, 'request');

  await anna.getByRole('button', { name: 'Close thread' }).click();
  await type(anna, '/drop contacts ada');
  await anna.getByRole('dialog').getByText('ada@partner.example').first().waitFor();
  await takeScreenshot(anna, 'contact');
  await anna.keyboard.press('Escape');
  await askForApproval(anna);
  await light.reload();
  await type(light, '/drop send');
  await pick(light, 'To', 'ada', /ada@/);
  await light
    .getByLabel('Files', { exact: true })
    .setInputFiles([{ name: 'offer.pdf', mimeType: 'application/pdf', buffer }]);
  await light.getByRole('button', { name: 'Review' }).click();
  await light.getByRole('button', { name: 'Request approval' }).click();
  await light.getByText('Waiting for approval').first().waitFor();
  await light.keyboard.press('Escape');
  await anna
    .getByRole('button', { name: /^Review/ })
    .last()
    .click();
  await anna.getByRole('dialog').getByText('offer.pdf').first().waitFor();
  await takeScreenshot(anna, 'approval');
  await anna.keyboard.press('Escape');
  await type(anna, '/drop audit');
  await anna.getByRole('dialog').getByText('asked for approval').first().scrollIntoViewIfNeeded();
  await anna.getByRole('dialog').getByText('changed settings').last().scrollIntoViewIfNeeded();
  await takeScreenshot(anna, 'audit');

  const narrow = await open(browser, `${url}#U0BO0000000`, 'light', 400);
  await narrow.getByRole('button', { name: 'Home' }).click();
  await narrow.getByText('offer.pdf').first().waitFor();
  await takeScreenshot(narrow, 'home-narrow');
}

async function type(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Message (#|to )/ }).fill(text);
  await page.keyboard.press('Enter');
}

async function pick(page: Page, field: string, typed: string, option: RegExp): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).fill(typed);
  await page.getByRole('option', { name: option }).first().click();
}

async function allowRequests(admin: Page): Promise<void> {
  await type(admin, '/drop settings');
  await admin.getByRole('button', { name: 'Change service options' }).click();
  await admin.getByRole('radio', { name: /^On/ }).check();
  await admin.getByRole('button', { name: 'Save' }).click();
  await admin.getByText('File requests are on.').waitFor();
  await admin.keyboard.press('Escape');
}

/** Every transfer needs the approval of Anna. */
async function askForApproval(admin: Page): Promise<void> {
  await type(admin, '/drop settings');
  await admin.getByRole('button', { name: 'Change approvers' }).click();
  await pick(admin, 'Approvers', 'Anna', /Anna/);
  await admin.getByRole('button', { name: 'Save' }).click();
  await admin.getByText('Saved.').waitFor();
  await admin.getByRole('button', { name: 'Change approval rules' }).click();
  await admin.getByRole('checkbox', { name: /^For every transfer/ }).check();
  await admin.getByRole('button', { name: 'Save' }).click();
  await admin.getByText('Approval is needed').waitFor();
  await admin.keyboard.press('Escape');
}

async function open(browser: Browser, url: string, colorScheme: 'light' | 'dark', width: number): Promise<Page> {
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 760 }, locale: 'en-GB' });
  await page.goto(url);
  return page;
}

async function takeScreenshot(page: Page, name: string): Promise<void> {
  // Move the pointer away, so that no element shows its hover style.
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(outputFolder, `${name}.png`), animations: 'disabled', caret: 'hide' });
}

await main();
