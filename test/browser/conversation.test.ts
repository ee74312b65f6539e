import { expect, test } from 'vitest';
import { accessibilityViolations, hasBrowser, noBrowserReason } from '../helpers/browser.ts';
import { describeIf } from '../helpers/skips.ts';
import { listen } from './conversation.ts';
import { focusedLabel, sendMessage, usePages } from './pages.ts';

const start = usePages();

describeIf(hasBrowser, noBrowserReason, 'the page', () => {
  test('a message renders its formatting and escapes HTML', async () => {
    const { page } = await start(listen([]));
    await sendMessage(page, '/drop card');
    const card = page.getByRole('article');
    await card.getByRole('heading', { name: 'A card' }).waitFor();
    expect(await card.locator('strong').allInnerTexts()).toEqual(['Bold', '<img src=x>']);
    expect(await card.getByRole('link', { name: 'a link' }).getAttribute('href')).toBe('https://example.org');
    expect(await card.innerText()).toContain('<b>');
    expect(await card.locator('img').count()).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test('buttons, confirmations and menus send actions to the bot and show its answer', async () => {
    const received: string[] = [];
    const { page } = await start(listen(received));
    await sendMessage(page, '/drop card');
    await page.getByRole('button', { name: 'Drop', exact: true }).click();
    const question = page.getByRole('alertdialog', { name: 'Really?' });
    await question.waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(received).toEqual([]);
    await page.getByRole('button', { name: 'Drop', exact: true }).click();
    await question.getByRole('button', { name: 'Do it' }).click();
    await page.getByText('Taken').waitFor();
    await sendMessage(page, '/drop card');
    await page.getByRole('button', { name: 'More', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => received).toEqual(['drop', 'more Two']);
    await sendMessage(page, '/drop card');
    await page.getByRole('button', { name: 'Take the apple' }).click();
    await expect.poll(() => received.at(-1)).toBe('take');
  });

  test('people use shortcuts of a message and of the message box, and open the Home tab', async () => {
    const received: string[] = [];
    const { page } = await start(listen(received));
    await sendMessage(page, 'look at this');
    await page.getByRole('article').hover();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Send securely' }).click();
    await expect.poll(() => received).toEqual(['send_message look at this']);
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await expect.poll(() => page.getByRole('menuitem', { name: 'New transfer' }).count()).toBe(1);
    await page.keyboard.press('Escape');
    expect(await focusedLabel(page)).toBe('Shortcuts');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect.poll(() => received.at(-1)).toBe('new_transfer');
    await page.getByRole('button', { name: 'Dropline' }).click();
    await page.getByRole('button', { name: 'Home' }).click();
    await page.getByText('Welcome home').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
