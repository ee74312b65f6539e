import type { RespondArguments } from '@slack/bolt';
import { expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { clientFor, expectEventually, plain, section, setUpWorkspace, type TestWorkspace } from './helper.ts';

function button(label: string, extra: object = {}) {
  return { type: 'button' as const, action_id: 'press', text: plain(label), ...extra };
}

/** Posts a message of the app in #general, which both people then open. */
async function postBlocks(setup: TestWorkspace, blocks: object[]): Promise<string> {
  const { ts } = await clientFor(setup.slack, setup.token).chat.postMessage({
    channel: setup.acme.channel('general').id,
    text: 'fallback',
    blocks: blocks as never,
  });
  await setup.anna.opens('#general');
  await setup.bo.opens('#general');
  return ts ?? '';
}

const actions = (...elements: object[]) => ({ type: 'actions', elements });

test('people can choose between identical buttons by the text next to them', async () => {
  const setup = await setUpWorkspace();
  const pressed: string[] = [];
  await startBot(setup, (app) => {
    app.action({ type: 'block_actions' }, async ({ ack, payload }) => {
      await ack();
      if ('value' in payload) pressed.push(String(payload.value));
    });
  });
  await postBlocks(setup, [
    { ...section('report.pdf'), accessory: button('Download', { value: 'report' }) },
    section('figures.csv'),
    actions(button('Download', { value: 'figures' })),
    {
      ...section('notes.txt'),
      accessory: button('Download', { value: 'notes', accessibility_label: 'Download notes.txt' }),
    },
  ]);
  await expect(setup.anna.clicks('Download')).rejects.toThrow('more than one');
  await setup.anna.clicks('Download', { near: 'figures.csv' });
  await setup.anna.clicks('Download', { near: 'report.pdf' });
  await setup.anna.clicks('Download notes.txt');
  expect(pressed).toEqual(['figures', 'report', 'notes']);
});

test('a button with a confirmation acts only after it is confirmed', async () => {
  const setup = await setUpWorkspace();
  await startBot(setup, (app) => app.action('press', async ({ ack }) => ack()));
  const confirm = {
    title: plain('Sure?'),
    text: plain('It cannot be undone'),
    confirm: plain('Remove'),
    deny: plain('Keep'),
  };
  await postBlocks(setup, [actions(button('Remove it', { confirm }))]);
  await setup.anna.clicks('Remove it');
  await setup.anna.sees('It cannot be undone [Keep] [Remove]');
  await setup.anna.declines('Keep');
  expect(setup.slack.deliveries).toEqual([]);
  await setup.anna.clicks('Remove it');
  await setup.anna.confirms('Remove');
  expect(setup.slack.deliveries).toHaveLength(1);
  await setup.anna.sees('Remove it');
});

test('elements outside a form are sent to the bot as soon as they change', async () => {
  const setup = await setUpWorkspace();
  const payloads: unknown[] = [];
  await startBot(setup, (app) => {
    app.action({ type: 'block_actions' }, async ({ ack, payload }) => {
      await ack();
      payloads.push(payload);
    });
  });
  const options = [
    { text: plain('Edit'), value: 'edit' },
    { text: plain('Open page'), value: 'open' },
  ];
  await postBlocks(setup, [
    actions(
      { type: 'overflow', action_id: 'more', options },
      { type: 'static_select', action_id: 'choice', placeholder: plain('Choose one'), options },
      { type: 'checkboxes', action_id: 'boxes', options: [{ text: plain('Urgent'), value: 'urgent' }] },
    ),
  ]);
  await setup.anna.clicks('Edit');
  await setup.anna.picks('Choose one', 'Open page');
  await setup.anna.clicks('Urgent');
  expect(payloads).toMatchObject([
    { type: 'overflow', selected_option: { value: 'edit' } },
    { type: 'static_select', selected_option: { value: 'open' } },
    { type: 'checkboxes', selected_options: [{ value: 'urgent' }] },
  ]);
  // A selection is visible only to the person who made it, and is sent with their next action.
  expect(setup.slack.deliveries.at(-1)?.payload).toMatchObject({
    state: {
      values: {
        [String((payloads[1] as { block_id: string }).block_id)]: { choice: { selected_option: { value: 'open' } } },
      },
    },
  });
  await setup.bo.doesNotSee('[x] Urgent');
  await setup.anna.sees('[x] Urgent');
});

test('links open; a click on a button with a URL is also sent to the bot', async () => {
  const setup = await setUpWorkspace();
  await startBot(setup, (app) => app.action('press', async ({ ack }) => ack()));
  await postBlocks(setup, [
    section('Read <https://a.example/x?a=1&amp;b=2|the manual>'),
    actions(button('Open', { url: 'https://b.example/' })),
  ]);
  await setup.anna.clicks('the manual');
  await setup.anna.clicks('Open');
  expect(setup.anna.opened).toEqual(['https://a.example/x?a=1&b=2', 'https://b.example/']);
  expect(setup.slack.deliveries).toHaveLength(1);
});

async function setUpWithAnswers(answers: RespondArguments[]): Promise<{ setup: TestWorkspace; failures: unknown[] }> {
  const setup = await setUpWorkspace();
  const failures: unknown[] = [];
  await startBot(setup, (app) => {
    app.action('press', async ({ ack, respond }) => {
      await ack();
      for (const answer of answers) {
        await respond(answer).catch((error: { statusCode?: number }) => failures.push(error.statusCode));
      }
    });
  });
  await postBlocks(setup, [section('Original'), actions(button('Press'))]);
  return { setup, failures };
}

test('an answer can replace or delete the original message', async () => {
  const { setup } = await setUpWithAnswers([{ replace_original: true, text: 'Replaced' }]);
  await setup.anna.clicks('Press');
  await setup.bo.sees('Replaced');
  await setup.bo.doesNotSee('Original');
  const deletion = { delete_original: true } as RespondArguments;
  const deleting = await setUpWithAnswers([{ ...deletion, text: 'More' }, deletion, deletion]);
  await deleting.setup.anna.clicks('Press');
  await deleting.setup.bo.doesNotSee('Original');
  await expectEventually(() => deleting.failures).toEqual([400, 400]);
});

test('only the person who clicked sees an answer, unless it is in_channel', async () => {
  const { setup } = await setUpWithAnswers([{ text: 'Just you' }, { text: 'All of you', response_type: 'in_channel' }]);
  await setup.anna.clicks('Press');
  await setup.bo.sees('All of you');
  await setup.bo.doesNotSee('Just you');
  await setup.anna.sees('Dropline (only visible to you): Just you');
  await setup.anna.reloads();
  await setup.anna.doesNotSee('Just you');
  await setup.anna.sees('All of you');
});

test('a response_url accepts five answers', async () => {
  const { setup, failures } = await setUpWithAnswers(
    Array.from({ length: 6 }, (_, index) => ({ text: `Answer ${index + 1}.` })),
  );
  await setup.anna.clicks('Press');
  await setup.anna.sees('Answer 5.');
  await expectEventually(() => failures).toEqual([404]);
  await setup.anna.doesNotSee('Answer 6.');
});

test('a response_url expires after 30 minutes', async () => {
  const { setup } = await setUpWithAnswers([]);
  await setup.anna.clicks('Press');
  const url = String(setup.slack.deliveries[0]?.payload.response_url);
  const post = () => fetch(url, { method: 'POST', body: JSON.stringify({ text: 'Late' }) });
  setup.clock.skipped = 30 * 60_000 - 20_000;
  expect((await post()).status).toBe(200);
  setup.clock.skipped = 30 * 60_000;
  const late = await post();
  expect([late.status, await late.json()]).toEqual([404, { ok: false, error: 'expired_url' }]);
});

test('an invalid answer is refused with status 400, which the client reports', async () => {
  const { setup, failures } = await setUpWithAnswers([
    { text: 'x', blocks: [{ type: 'nonsense' } as never] },
    { text: 'x', misspelt: true } as never,
    { delete_original: true, text: 'x' } as never,
    { text: 'x', thread_ts: '1.000001' } as never,
  ]);
  await setup.anna.clicks('Press');
  await expectEventually(() => failures).toEqual([400, 400, 400, 400]);
  await setup.anna.sees('Original');
});

test('only one person sees an ephemeral message; only its response_url can change it', async () => {
  const setup = await setUpWorkspace();
  await startBot(setup, (app) => {
    app.action('press', async ({ ack, respond }) => {
      await ack();
      await respond({ replace_original: true, text: 'Done' });
    });
  });
  const channel = setup.acme.channel('general').id;
  const client = clientFor(setup.slack, setup.token);
  const blocks = [{ type: 'actions' as const, elements: [button('For you')] }];
  const { message_ts: ts = '' } = await client.chat.postEphemeral({ channel, user: setup.anna.id, text: 'x', blocks });
  await setup.bo.opens('#general');
  await setup.bo.doesNotSee('For you');
  await expect(client.chat.update({ channel, ts, text: 'y' })).rejects.toMatchObject({
    data: { error: 'message_not_found' },
  });
  await setup.anna.opens('#general');
  await setup.anna.clicks('For you');
  await setup.anna.sees('Dropline (only visible to you) (edited): Done');
  const { payload } = setup.slack.deliveries[0] ?? {};
  expect(payload).toMatchObject({
    container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: true },
    channel: { id: channel },
    response_url: expect.stringContaining('http'),
  });
  expect(payload).not.toHaveProperty('message');
});
