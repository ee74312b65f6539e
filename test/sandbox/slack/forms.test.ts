import type { ViewStateValue } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { plain, setUpWorkspace, type TestWorkspace } from './helper.ts';

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
    input('text', { type: 'plain_text_input', max_length: 5 }),
    input('date', { type: 'datepicker' }),
    input('static', { type: 'static_select', options }),
    input('statics', { type: 'multi_static_select', options }),
    input('externals', { type: 'multi_external_select' }),
    input('user', { type: 'users_select' }),
    input('users', { type: 'multi_users_select' }),
    input('conversation', { type: 'conversations_select' }),
    input('conversations', { type: 'multi_conversations_select', filter: { exclude_external_shared_channels: true } }),
    input('radio', { type: 'radio_buttons', options }),
    input('boxes', { type: 'checkboxes', options }),
    input('files', { type: 'file_input', max_files: 2 }),
    input('free', { type: 'plain_text_input' }, { optional: true }),
  ],
} as unknown as ModalView;

async function openEverything(): Promise<{ setup: TestWorkspace; submitted: { values?: Values } }> {
  const setup = await setUpWorkspace();
  setup.acme.addChannel({ name: 'shared', shared: true, members: [setup.anna] });
  const submitted: { values?: Values } = {};
  await startBot(setup, (app) => {
    app.command('/drop', async ({ ack, client, body }) => {
      await ack();
      await client.views.open({ trigger_id: body.trigger_id, view: everything });
    });
    app.options('it', async ({ ack, payload }) => {
      const found = ['ann', 'anton', 'bert'].filter((name) => name.startsWith(payload.value));
      await ack({ options: found.map(option) });
    });
    app.view('all', async ({ ack, view }) => {
      await ack();
      Object.assign(submitted, { values: view.state.values });
    });
  });
  await setup.anna.types('/drop', { in: '#general' });
  await setup.anna.sees('Everything');
  return { setup, submitted };
}

async function fillEverything({ anna }: TestWorkspace): Promise<void> {
  await anna.fills('text', 'abc');
  await anna.fills('date', '2026-11-16');
  await anna.picks('static', 'B');
  await anna.picks('statics', 'A');
  await anna.picks('statics', 'C');
  await anna.picks('externals', 'anton');
  await anna.picks('externals', 'bert');
  await anna.unpicks('externals', 'anton');
  await anna.picks('user', 'Bo');
  await anna.picks('users', 'Anna');
  await anna.picks('conversation', 'general');
  await anna.picks('conversations', '#general');
  await anna.picks('radio', 'C');
  await anna.clicks('A', { near: 'boxes' });
  await anna.clicks('B', { near: 'boxes' });
  await anna.clicks('A', { near: 'boxes' });
  await anna.attaches('files', [{ name: 'a.txt', data: 'abc' }]);
}

test('an incomplete form is not sent, and each field shows its error', async () => {
  const { setup, submitted } = await openEverything();
  const { anna, slack } = setup;
  await fillEverything(setup);
  await anna.fills('text', 'abcdef');
  await anna.unpicks('static', 'B');
  await expect(anna.submits()).rejects.toThrow('the form is not complete');
  await anna.sees('Please enter at most 5 characters.');
  await anna.sees('Please complete this required field.');
  expect(submitted).toEqual({});
  expect(slack.deliveries.filter(({ kind }) => kind === 'view_submission')).toEqual([]);
});

test('a file field limits the number and the size of its files', async () => {
  const { setup } = await openEverything();
  const { anna } = setup;
  const files = ['a', 'b', 'c'].map((name) => ({ name, data: name }));
  await expect(anna.attaches('files', files)).rejects.toThrow('no more than 2');
  const large = { name: 'large.bin', size: 10_000_001, async *open() {} };
  await expect(anna.attaches('files', [large])).rejects.toThrow('exceeds 10 MB');
});

test('only offered options can be selected', async () => {
  const { setup } = await openEverything();
  const { anna, slack } = setup;
  slack.behaviour.timeoutMs = 20;
  await expect(anna.picks('static', 'D')).rejects.toThrow('Offered: A, B, C');
  await expect(anna.picks('conversations', 'shared')).rejects.toThrow('Offered: #general');
  await expect(anna.picks('externals', 'an')).rejects.toThrow('before 3 characters');
  await expect(anna.picks('externals', 'ann')).resolves.toBeUndefined();
  await expect(anna.picks('externals', 'ann')).rejects.toThrow('is chosen already');
  await expect(anna.picks('nonsense', 'x')).rejects.toThrow('There is no field "nonsense"');
});
