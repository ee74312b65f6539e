import type { ModalView } from '@slack/types';
import type { Page } from 'playwright-core';
import { plain } from '../sandbox/slack/helper.ts';
import { sendMessage, type usePages, type WorkspacePage } from './pages.ts';

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

/** Starts a bot that opens the form on any command. */
export async function startForm(start: ReturnType<typeof usePages>): Promise<WorkspacePage & { received: Received }> {
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

export async function openForm(page: Page): Promise<void> {
  await sendMessage(page, '/drop x');
  await page.getByRole('dialog', { name: 'A form' }).waitFor();
}

export async function pickOption(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).fill(option);
  await page.getByRole('option', { name: option, exact: true }).click();
}
