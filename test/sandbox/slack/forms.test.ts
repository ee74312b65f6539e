import type { ViewStateValue } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { plain, type Stage, section, startStage } from './helper.ts';

type Values = Record<string, Record<string, ViewStateValue>>;

const option = (value: string) => ({ text: { ...plain(value.toUpperCase()), emoji: true }, value });
const options = ['a', 'b', 'c'].map(option);

function input(name: string, element: object, extra: object = {}) {
  return { type: 'input', block_id: name, label: plain(name), element: { action_id: 'it', ...element }, ...extra };
}

/** Every element that a form can have. */
const everything = {
  type: 'modal',
  callback_id: 'all',
  title: plain('Everything'),
  submit: plain('Go'),
  blocks: [
    input('text', { type: 'plain_text_input', min_length: 2, max_length: 5 }),
    input('email', { type: 'email_text_input' }),
    input('url', { type: 'url_text_input' }),
    input('number', { type: 'number_input', is_decimal_allowed: false, min_value: '1', max_value: '9' }),
    input('rich', { type: 'rich_text_input' }),
    input('static', { type: 'static_select', options }),
    input('statics', { type: 'multi_static_select', options, max_selected_items: 2 }),
    input('external', { type: 'external_select', min_query_length: 2 }),
    input('externals', { type: 'multi_external_select' }),
    input('user', { type: 'users_select' }),
    input('users', { type: 'multi_users_select' }),
    input('conversation', { type: 'conversations_select', response_url_enabled: true }),
    input('conversations', { type: 'multi_conversations_select', filter: { exclude_external_shared_channels: true } }),
    input('channel', { type: 'channels_select' }),
    input('channels', { type: 'multi_channels_select' }),
    input('radio', { type: 'radio_buttons', options }),
    input('boxes', { type: 'checkboxes', options }),
    input('date', { type: 'datepicker' }),
    input('time', { type: 'timepicker' }),
    input('moment', { type: 'datetimepicker' }),
    input('files', { type: 'file_input', max_files: 2 }),
    input('free', { type: 'plain_text_input' }, { optional: true }),
  ],
} as unknown as ModalView;

async function openEverything(): Promise<{ stage: Stage; submitted: { values?: Values; responseUrls?: unknown } }> {
  const stage = await startStage();
  stage.acme.addChannel({ name: 'shared', shared: true, members: [stage.anna] });
  const submitted: { values?: Values; responseUrls?: unknown } = {};
  await startBot(stage, (app) => {
    app.command('/drop', async ({ ack, client, body }) => {
      await ack();
      await client.views.open({ trigger_id: body.trigger_id, view: everything });
    });
    app.options('it', async ({ ack, payload }) => {
      const found = ['ann', 'anton', 'bert'].filter((name) => name.startsWith(payload.value));
      await ack({ options: found.map(option) });
    });
    app.view('all', async ({ ack, view, body }) => {
      await ack();
      const responseUrls = 'response_urls' in body ? body.response_urls : undefined;
      Object.assign(submitted, { values: view.state.values, responseUrls });
    });
  });
  await stage.anna.types('/drop', { in: '#general' });
  await stage.anna.sees('Everything');
  return { stage, submitted };
}

async function fillEverything({ anna }: Stage): Promise<void> {
  await anna.fills('text', 'abc');
  await anna.fills('email', 'a@b.example');
  await anna.fills('url', 'https://b.example/c');
  await anna.fills('number', '7');
  await anna.fills('rich', 'rich words');
  await anna.picks('static', 'B');
  await anna.picks('statics', 'A');
  await anna.picks('statics', 'C');
  await anna.picks('external', 'ann');
  await anna.picks('externals', 'anton');
  await anna.picks('externals', 'bert');
  await anna.unpicks('externals', 'anton');
  await anna.picks('user', 'Bo');
  await anna.picks('users', 'Anna');
  await anna.picks('conversation', 'general');
  await anna.picks('conversations', '#general');
  await anna.picks('channel', 'general');
  await anna.picks('channels', 'general');
  await anna.picks('radio', 'C');
  await anna.clicks('A', { near: 'boxes' });
  await anna.clicks('B', { near: 'boxes' });
  await anna.clicks('A', { near: 'boxes' });
  await anna.picks('date', '2026-03-01');
  await anna.picks('time', '13:30');
  await anna.picks('moment', '2026-03-01 13:30');
  await anna.attaches('files', [{ name: 'a.txt', data: 'abc' }]);
}

test('a form with every element returns what was entered', async () => {
  const { stage, submitted } = await openEverything();
  await fillEverything(stage);
  await stage.anna.submits('Go');
  const { acme, anna, bo } = stage;
  const general = acme.channel('general').id;
  const entered = Object.fromEntries(Object.entries(submitted.values ?? {}).map(([name, { it }]) => [name, it]));
  const richText = { type: 'rich_text_section', elements: [{ type: 'text', text: 'rich words' }] };
  expect(entered).toEqual({
    text: { type: 'plain_text_input', value: 'abc' },
    email: { type: 'email_text_input', value: 'a@b.example' },
    url: { type: 'url_text_input', value: 'https://b.example/c' },
    number: { type: 'number_input', value: '7' },
    rich: { type: 'rich_text_input', rich_text_value: { type: 'rich_text', elements: [richText] } },
    static: { type: 'static_select', selected_option: option('b') },
    statics: { type: 'multi_static_select', selected_options: [option('a'), option('c')] },
    external: { type: 'external_select', selected_option: option('ann') },
    externals: { type: 'multi_external_select', selected_options: [option('bert')] },
    user: { type: 'users_select', selected_user: bo.id },
    users: { type: 'multi_users_select', selected_users: [anna.id] },
    conversation: { type: 'conversations_select', selected_conversation: general },
    conversations: { type: 'multi_conversations_select', selected_conversations: [general] },
    channel: { type: 'channels_select', selected_channel: general },
    channels: { type: 'multi_channels_select', selected_channels: [general] },
    radio: { type: 'radio_buttons', selected_option: option('c') },
    boxes: { type: 'checkboxes', selected_options: [option('b')] },
    date: { type: 'datepicker', selected_date: '2026-03-01' },
    time: { type: 'timepicker', selected_time: '13:30' },
    moment: { type: 'datetimepicker', selected_date_time: Date.UTC(2026, 2, 1, 13, 30) / 1000 },
    files: { type: 'file_input', files: [expect.objectContaining({ name: 'a.txt', size: 3, mode: 'hosted' })] },
    free: { type: 'plain_text_input', value: null },
  });
  expect(submitted.responseUrls).toEqual([
    { block_id: 'conversation', action_id: 'it', channel_id: general, response_url: expect.stringMatching(/^http/) },
  ]);
  expect(anna.client.modals).toEqual([]);
});

test('an incomplete form is not sent, and each field shows its error', async () => {
  const { stage, submitted } = await openEverything();
  const { anna, slack } = stage;
  await fillEverything(stage);
  await anna.fills('text', 'a');
  await anna.fills('email', 'nobody');
  await anna.fills('url', 'nowhere');
  await anna.fills('number', '7.5');
  await anna.unpicks('static', 'B');
  await expect(anna.submits()).rejects.toThrow('the form is not complete');
  await anna.sees('Please enter at least 2 characters.');
  await anna.sees('Please enter a valid email address.');
  await anna.sees('Please enter a valid URL.');
  await anna.sees('Please enter a valid number.');
  await anna.sees('Please complete this required field.');
  expect(submitted).toEqual({});
  expect(slack.deliveries.filter(({ kind }) => kind === 'view_submission')).toEqual([]);
});

test('a field limits how much can be selected or attached', async () => {
  const { stage } = await openEverything();
  const { anna } = stage;
  await anna.picks('statics', 'A');
  await anna.picks('statics', 'B');
  await expect(anna.picks('statics', 'C')).rejects.toThrow('no more than 2');
  const files = ['a', 'b', 'c'].map((name) => ({ name, data: name }));
  await expect(anna.attaches('files', files)).rejects.toThrow('no more than 2');
  const large = { name: 'large.bin', size: 10 * 1024 * 1024 + 1, async *open() {} };
  await expect(anna.attaches('files', [large])).rejects.toThrow('exceeds 10 MB');
});

test('only offered options can be selected', async () => {
  const { stage } = await openEverything();
  const { anna, slack } = stage;
  slack.behaviour.timeoutMs = 20;
  await expect(anna.picks('static', 'D')).rejects.toThrow('Offered: A, B, C');
  await expect(anna.picks('conversations', 'shared')).rejects.toThrow('Offered: #general');
  await expect(anna.picks('external', 'a')).rejects.toThrow('before 2 characters');
  await expect(anna.picks('externals', 'an')).rejects.toThrow('before 3 characters');
  await expect(anna.picks('external', 'an')).rejects.toThrow('More than one');
  await expect(anna.picks('nonsense', 'x')).rejects.toThrow('There is no field "nonsense"');
});

test("the bot's errors are shown at their fields, and entries are kept", async () => {
  const stage = await startStage();
  let attempts = 0;
  await startBot(stage, (app) => {
    app.command('/drop', async ({ ack, client, body }) => {
      await ack();
      const element = { type: 'plain_text_input' as const, action_id: 't' };
      const blocks = [section('Hi'), { type: 'input' as const, block_id: 'name', label: plain('Name'), element }];
      const view = { type: 'modal' as const, callback_id: 'v', title: plain('T'), submit: plain('Go'), blocks };
      await client.views.open({ trigger_id: body.trigger_id, view });
    });
    app.view('v', async ({ ack }) => {
      attempts++;
      await ack(attempts === 1 ? { response_action: 'errors', errors: { name: 'Too short a name' } } : undefined);
    });
  });
  await stage.anna.types('/drop', { in: '#general' });
  await stage.anna.fills('Name', 'x');
  await stage.anna.submits();
  await stage.anna.sees('Name: x ⚠ Too short a name');
  await stage.anna.submits();
  await stage.anna.doesNotSee('Name');
});
