import type { App } from '@slack/bolt';
import { expect, test } from 'vitest';
import { accessibilityViolations, hasBrowser, noBrowserReason } from '../helpers/browser.ts';
import { describeIf } from '../helpers/skips.ts';
import { sendMessage, usePages } from './pages.ts';

const start = usePages();
const noBot = (_: App) => {};

describeIf(hasBrowser, noBrowserReason, 'the page', () => {
  test('an error message covers no button', async () => {
    const { page } = await start(noBot);
    await sendMessage(page, '/nonsense');
    await sendMessage(page, '/invite @zoe');
    const toast = page.locator('.toast');
    await toast.waitFor();
    const box = await toast.boundingBox();
    for (const button of await page.getByRole('button').all()) {
      const other = await button.boundingBox();
      const isApart =
        box === null ||
        other === null ||
        other.x >= box.x + box.width ||
        box.x >= other.x + other.width ||
        other.y >= box.y + box.height ||
        box.y >= other.y + other.height;
      expect(isApart, await button.innerText()).toBe(true);
    }
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test('the list of commands scrolls to the selected command', async () => {
    const { page } = await start(noBot);
    await page.getByRole('textbox', { name: 'Message #general' }).fill('/');
    const list = page.getByRole('listbox', { name: 'Commands' });
    await list.evaluate((element) => {
      element.style.maxHeight = '60px';
    });
    expect(await accessibilityViolations(page)).toEqual([]);
    const count = await list.getByRole('option').count();
    for (let step = 1; step < count; step += 1) await page.keyboard.press('ArrowDown');
    const isVisible = () =>
      list.getByRole('option', { selected: true }).evaluate((option) => {
        const [inner, outer] = [option.getBoundingClientRect(), option.parentElement?.getBoundingClientRect()];
        return outer !== undefined && inner.bottom <= outer.bottom + 1 && inner.top >= outer.top - 1;
      });
    await expect.poll(isVisible).toBe(true);
    expect(await list.getByRole('option').last().getAttribute('aria-selected')).toBe('true');
  });
});
