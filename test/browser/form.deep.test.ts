import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hasBrowser, noBrowserReason } from '../helpers/browser.ts';
import { describeIf } from '../helpers/skips.ts';
import { openForm, pickOption, startForm } from './form.ts';
import { usePages } from './pages.ts';

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
});
