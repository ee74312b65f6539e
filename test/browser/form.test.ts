import { expect, test } from 'vitest';
import { hasBrowser, noBrowserReason } from '../helpers/browser.ts';
import { describeIf } from '../helpers/skips.ts';
import { openForm, pickOption, startForm } from './form.ts';
import { focusedLabel, usePages } from './pages.ts';

const start = usePages();

describeIf(hasBrowser, noBrowserReason, 'the page', () => {
  test('every kind of field sends its value to the bot', async () => {
    const { page, received, setup } = await startForm(start);
    await openForm(page);
    await page.getByRole('textbox', { name: 'Name' }).fill('Eve');
    await pickOption(page, 'Colour', 'green');
    await pickOption(page, 'Colours', 'red');
    await pickOption(page, 'Colours', 'blue');
    await pickOption(page, 'Fruits', 'apple');
    await pickOption(page, 'Fruits', 'pear');
    await page.getByRole('button', { name: 'Remove apple' }).click();
    await pickOption(page, 'Person', 'Bo');
    await pickOption(page, 'Channel', '#general');
    await page.getByLabel('Day', { exact: true }).fill('2030-12-24');
    await page.getByLabel('large').check();
    await page.getByLabel('salt').check();
    await page.getByLabel('pepper').check();
    await page.getByLabel('salt').uncheck();
    const buffer = Buffer.from('the file');
    await page.getByLabel('Files (optional)').setInputFiles([{ name: 'a.txt', mimeType: 'text/plain', buffer }]);
    await page.getByText('a.txt').waitFor();
    // The browser's own “No file chosen” must be invisible. It isn't an element, so this checks its colour.
    const color = () => page.evaluate("getComputedStyle(document.querySelector('.file-field input')).color");
    await expect.poll(color).toBe('rgba(0, 0, 0, 0)');
    await page.getByRole('textbox', { name: 'Remark' }).fill('in a hurry');
    await page.getByRole('button', { name: 'Go' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { values } = received;
    expect(values.Name?.it).toMatchObject({ value: 'Eve' });
    expect(values.Colour?.it).toMatchObject({ selected_option: { value: 'green' } });
    expect(values.Colours?.it).toMatchObject({ selected_options: [{ value: 'red' }, { value: 'blue' }] });
    expect(values.Fruits?.it).toMatchObject({ selected_options: [{ value: 'pear' }] });
    expect(values.Person?.it).toMatchObject({ selected_user: setup.bo.id });
    expect(values.Channel?.it).toMatchObject({ selected_conversation: setup.acme.channel('general').id });
    expect(values.Day?.it).toMatchObject({ selected_date: '2030-12-24' });
    expect(values.Size?.it).toMatchObject({ selected_option: { value: 'large' } });
    expect(values.Extras?.it).toMatchObject({ selected_options: [{ value: 'pepper' }] });
    expect(values.Files?.it).toMatchObject({ files: [{ name: 'a.txt', size: 8 }] });
    expect(values.Remark?.it).toMatchObject({ value: 'in a hurry' });
    expect(received.queries).toContain('pear');
  });

  test('a form shows missing fields before it is sent, and people can correct errors', async () => {
    const { page, received } = await startForm(start);
    await openForm(page);
    await page.getByRole('button', { name: 'Go' }).click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByText('Please complete this required field.').count()).toBe(5);
    await name.fill('nobody');
    for (const [field, option] of [
      ['Colour', 'red'],
      ['Colours', 'red'],
      ['Fruits', 'pear'],
    ] as const)
      await pickOption(page, field, option);
    await page.getByLabel('small').check();
    await page.getByRole('button', { name: 'Go' }).click();
    await page.getByText('Somebody, please.').waitFor();
    expect(await name.inputValue()).toBe('nobody');
    await expect.poll(() => focusedLabel(page)).toBe('Name');
    await name.fill('Eve');
    await page.getByRole('button', { name: 'Go' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(received.values.Name?.it).toMatchObject({ value: 'Eve' });
  });
});
