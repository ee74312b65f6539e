import { setTimeout as sleep } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityViolations, hasBrowser, noBrowserReason } from '../helpers/browser.ts';
import { describeIf } from '../helpers/skips.ts';
import { plain } from '../sandbox/slack/helper.ts';
import { focusedLabel, sendMessage, usePages, type WorkspacePage } from './pages.ts';

const start = usePages();

const option = (value: string) => ({ text: plain(value), value });
const options = ['red', 'green', 'blue'].map(option);

function input(label: string, element: object, extra: object = {}) {
  return { type: 'input', block_id: label, label: plain(label), element: { action_id: 'it', ...element }, ...extra };
}

/** Each kind of field in Dropline's forms, but not every multi-select: the page draws all selects with one picker. */
const form = {
  type: 'modal',
  callback_id: 'form',
  notify_on_close: true,
  title: plain('A form'),
  submit: plain('Go'),
  blocks: [
    input('Name', { type: 'plain_text_input', placeholder: plain('as on the card') }, { hint: plain('Yours.') }),
    input('Colour', { type: 'static_select', options }),
    input('Colours', { type: 'multi_static_select', options }),
    input('Fruits', { type: 'multi_external_select', min_query_length: 0 }),
    input('Person', { type: 'users_select' }, { optional: true }),
    input('Channel', { type: 'conversations_select' }, { optional: true }),
    input('Size', { type: 'radio_buttons', options: ['small', 'large'].map(option) }),
    input('Extras', { type: 'checkboxes', options: ['salt', 'pepper'].map(option) }, { optional: true }),
    input('Files', { type: 'file_input', max_files: 2 }, { optional: true }),
    input('Remark', { type: 'plain_text_input', multiline: true }, { optional: true }),
    input('Day', { type: 'datepicker' }, { optional: true }),
  ],
} as unknown as ModalView;

interface Received {
  values: Record<string, Record<string, Record<string, unknown>>>;
  closed: number;
  queries: string[];
}

async function startForm(): Promise<WorkspacePage & { received: Received }> {
  const received: Received = { values: {}, closed: 0, queries: [] };
  const opened = await start((app) => {
    app.command('/drop', async ({ ack, client, body }) => {
      await ack();
      await client.views.open({ trigger_id: body.trigger_id, view: form });
    });
    app.options('it', async ({ ack, payload }) => {
      received.queries.push(payload.value);
      await ack({ options: ['apple', 'apricot', 'pear'].filter((one) => one.startsWith(payload.value)).map(option) });
    });
    app.view('form', async ({ ack, view }) => {
      if (view.state.values.Name?.it?.value === 'nobody') {
        await ack({ response_action: 'errors', errors: { Name: 'Somebody, please.' } });
        return;
      }
      received.values = view.state.values as unknown as Received['values'];
      await ack();
    });
    app.view({ callback_id: 'form', type: 'view_closed' }, async ({ ack }) => {
      received.closed += 1;
      await ack();
    });
  });
  return { ...opened, received };
}

async function openForm(page: Page): Promise<void> {
  await sendMessage(page, '/drop x');
  await page.getByRole('dialog', { name: 'A form' }).waitFor();
}

async function pickOption(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).fill(option);
  await page.getByRole('option', { name: option, exact: true }).click();
}

describeIf(hasBrowser, noBrowserReason, 'the page', () => {
  test('every kind of field sends its value to the bot', async () => {
    const { page, received, setup } = await startForm();
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

  test('two quick changes of a field count both, and a form waits for its files', async () => {
    const { page, received } = await startForm();
    await openForm(page);
    await page.getByRole('textbox', { name: 'Name' }).fill('Eve');
    await pickOption(page, 'Colour', 'green');
    await pickOption(page, 'Fruits', 'pear');
    await page.getByLabel('large').check();
    await page.route('**/-/page/**', async (route) => {
      if (route.request().method() === 'POST') await sleep(150);
      await route.continue();
    });
    await page.getByLabel('salt').click();
    await page.getByLabel('pepper').click();
    await pickOption(page, 'Colours', 'red');
    await pickOption(page, 'Colours', 'blue');
    const files = ['a.txt', 'b.txt'].map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) }));
    for (const file of files) await page.getByLabel('Files (optional)').setInputFiles([file]);
    await page.getByRole('button', { name: 'Go' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { values } = received;
    expect(values.Extras?.it).toMatchObject({ selected_options: [{ value: 'salt' }, { value: 'pepper' }] });
    expect(values.Colours?.it).toMatchObject({ selected_options: [{ value: 'red' }, { value: 'blue' }] });
    expect(values.Files?.it).toMatchObject({ files: [{ name: 'a.txt' }, { name: 'b.txt' }] });
  });

  test('a form shows missing fields before it is sent, and people can correct errors', async () => {
    const { page, received } = await startForm();
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

  test('a form can be opened, filled in, sent and closed with the keyboard alone', async () => {
    const { page, received } = await startForm();
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
    const { page, received } = await startForm();
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
    const { page } = await startForm();
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
