import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { accessibilityViolations, hasBrowser, noBrowserReason } from '../helpers/browser.ts';
import { describeIf } from '../helpers/skips.ts';
import { openForm, pickOption, startForm } from './form.ts';
import { focusedLabel, sendMessage, usePages } from './pages.ts';

const start = usePages();

describeIf(hasBrowser, noBrowserReason, 'the page', () => {
  test('two quick changes of a field count both, and a form waits for its files', async () => {
    const { page, received } = await startForm(start);
    await openForm(page);
    await page.getByRole('textbox', { name: 'Name' }).fill('Eve');
    await pickOption(page, 'Colour', 'green');
    for (const colour of ['red', 'green', 'blue']) await pickOption(page, 'Colours', colour);
    await pickOption(page, 'Fruits', 'pear');
    await page.getByLabel('large').check();
    await page.route('**/-/page/**', async (route) => {
      if (route.request().method() === 'POST') await sleep(150);
      await route.continue();
    });
    await page.getByLabel('salt').click();
    await page.getByLabel('pepper').click();
    for (const colour of ['red', 'blue']) await page.getByRole('button', { name: `Remove ${colour}` }).click();
    const files = ['a.txt', 'b.txt'].map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) }));
    for (const file of files) await page.getByLabel('Files (optional)').setInputFiles([file]);
    await page.getByRole('button', { name: 'Go' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { values } = received;
    expect(values.Extras?.it).toMatchObject({ selected_options: [{ value: 'salt' }, { value: 'pepper' }] });
    expect(values.Colours?.it).toMatchObject({ selected_options: [{ value: 'green' }] });
    expect(values.Files?.it).toMatchObject({ files: [{ name: 'a.txt' }, { name: 'b.txt' }] });
  });

  test('a form can be opened, filled in, sent and closed with the keyboard alone', async () => {
    const { page, received } = await startForm(start);
    const { keyboard } = page;
    await page.getByRole('textbox', { name: 'Message #general' }).focus();
    await keyboard.type('/dr');
    await page.getByRole('option', { name: '/drop' }).waitFor();
    await keyboard.press('Enter');
    await keyboard.press('Enter');
    await expect.poll(() => focusedLabel(page)).toBe('Name');
    await keyboard.type('Eve');
    await keyboard.press('Tab');
    expect(await focusedLabel(page)).toBe('Colour');
    await keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'red' }).waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'Clear Colour' }).waitFor();
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    for (const [field, option] of [
      ['Colours', 'blue'],
      ['Fruits', 'apr'],
    ] as const) {
      expect(await focusedLabel(page)).toBe(field);
      await keyboard.type(option);
      await expect.poll(() => page.getByRole('option').count()).toBe(1);
      await keyboard.press('Enter');
      await page.getByRole('button', { name: `Remove ${option}` }).waitFor();
      await keyboard.press('Tab');
    }
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.press('Space');
    await page.getByRole('radio', { name: 'small', checked: true }).waitFor();
    await keyboard.press('Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(received.values.Colour?.it).toMatchObject({ selected_option: { value: 'green' } });
    expect(received.values.Fruits?.it).toMatchObject({ selected_options: [{ value: 'apricot' }] });
    await expect.poll(() => focusedLabel(page)).toBe('Message #general');
    await keyboard.type('/drop again');
    await keyboard.press('Enter');
    await expect.poll(() => focusedLabel(page)).toBe('Name');
    await keyboard.press('Shift+Tab');
    await keyboard.press('Shift+Tab');
    await keyboard.press('Shift+Tab');
    expect(await page.locator('dialog :focus').count()).toBe(1);
    await Promise.all([keyboard.press('Escape'), keyboard.press('Escape')]);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => received.closed).toBe(1);
    await expect.poll(() => focusedLabel(page)).toBe('Message #general');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('the page asks for confirmation before it closes a form with entries', async () => {
    const { page, received } = await startForm(start);
    await openForm(page);
    await page.getByRole('textbox', { name: 'Name' }).fill('Eve');
    await page.keyboard.press('Escape');
    const question = page.getByRole('alertdialog', { name: 'Are you sure you want to leave?' });
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Eve');
    await expect.poll(() => focusedLabel(page)).toBe('Name');
    expect(received.closed).toBe(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => received.closed).toBe(1);
  });

  test('axe-core finds no problem in a conversation and a form, light or dark', async () => {
    const { page } = await startForm(start);
    const violations = async () => {
      const found: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        found.push(...(await accessibilityViolations(page)));
      }
      return found;
    };
    await sendMessage(page, 'Hello');
    await page.getByRole('article').waitFor();
    expect(await violations()).toEqual([]);
    await openForm(page);
    await page.getByRole('button', { name: 'Go' }).click();
    await page.getByText('Please complete').first().waitFor();
    await page.getByRole('combobox', { name: 'Colour', exact: true }).click();
    await page.getByRole('option', { name: 'green' }).waitFor();
    expect(await violations()).toEqual([]);
  });
});
