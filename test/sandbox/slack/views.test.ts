import { type ViewsOpenArguments, WebAPIPlatformError } from '@slack/web-api';
import { expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { clientFor, expectEventually, plain, section, setUpWorkspace, type TestWorkspace } from './helper.ts';

type View = ViewsOpenArguments['view'];

function modal(text: string, extra: object = {}): View {
  return { type: 'modal', title: plain('T'), blocks: [section(text)], ...extra } as View;
}

function button(label: string, actionId: string) {
  return {
    type: 'actions',
    block_id: `b-${actionId}`,
    elements: [{ type: 'button', action_id: actionId, text: plain(label) }],
  };
}

/** Starts a bot that opens this view on `/drop`, and types the command. */
async function setUpWithView(view: View, listen: Parameters<typeof startBot>[1] = () => {}) {
  const setup = await setUpWorkspace();
  await startBot(setup, (app) => {
    app.command('/drop', async ({ ack, client, body }) => {
      await ack();
      await client.views.open({ trigger_id: body.trigger_id, view });
    });
    listen(app);
  });
  await setup.anna.types('/drop', { in: '#general' });
  await setup.anna.sees('== T ==');
  return { ...setup, client: clientFor(setup.slack, setup.token) };
}

const lastTrigger = ({ slack }: TestWorkspace) => String(slack.deliveries.at(-1)?.payload.trigger_id);

/** The error code of a call that Slack refuses. */
async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(WebAPIPlatformError);
  return (error as WebAPIPlatformError).data.error;
}

test('a trigger can be used only once', async () => {
  const setup = await setUpWithView(modal('One'));
  const call = setup.client.views.open({ trigger_id: lastTrigger(setup), view: modal('Two') });
  expect(await refusal(call)).toBe('exchanged_trigger_id');
  await setup.anna.sees('One');
});

test('a trigger expires after three seconds', async () => {
  const setup = await setUpWorkspace();
  await startBot(setup, (app) => app.command('/drop', async ({ ack }) => ack()));
  const client = clientFor(setup.slack, setup.token);
  await setup.anna.types('/drop', { in: '#general' });
  setup.clock.skipped = 3000;
  expect(await refusal(client.views.open({ trigger_id: lastTrigger(setup), view: modal('Late') }))).toBe(
    'expired_trigger_id',
  );
  expect(await refusal(client.views.open({ trigger_id: '1.2.x', view: modal('Odd') }))).toBe('invalid_trigger_id');
  await setup.anna.doesNotSee('Late');
});

test('at most three views can be stacked, and the close icon closes all of them', async () => {
  const push = button('Deeper', 'deeper');
  const setup = await setUpWithView(
    modal('Level 1', { callback_id: 'v', blocks: [section('Level 1'), push], notify_on_close: true }),
    (app) => {
      app.action('deeper', async ({ ack, client, body }) => {
        await ack();
        const level = setup.anna.client.modals.length + 1;
        const view = modal(`Level ${level}`, { blocks: [section(`Level ${level}`), push] });
        if ('trigger_id' in body) await client.views.push({ trigger_id: body.trigger_id, view }).catch(() => {});
      });
      app.view({ callback_id: 'v', type: 'view_closed' }, async ({ ack }) => ack());
    },
  );
  const { anna, slack } = setup;
  await anna.clicks('Deeper');
  await anna.sees('Level 2');
  await anna.clicks('Deeper');
  await anna.sees('Level 3');
  await anna.clicks('Deeper');
  await expectEventually(() => slack.calls.at(-1)).toMatchObject({ method: 'views.push', error: 'push_limit_reached' });
  await anna.clicks('Cancel');
  await anna.sees('Level 2');
  const root = anna.client.modals[0];
  await anna.closes();
  await anna.doesNotSee('Level');
  expect(slack.deliveries.at(-1)).toMatchObject({
    kind: 'view_closed',
    payload: { is_cleared: true, view: { id: root } },
  });
});

test('view_closed is sent without the entries of the form', async () => {
  const element = { type: 'plain_text_input', action_id: 'words', initial_value: 'As it was' };
  const input = { type: 'input', block_id: 'words', label: plain('Words'), element };
  const form = { callback_id: 'form', blocks: [input], submit: plain('Go'), notify_on_close: true };
  const { anna, slack } = await setUpWithView(modal('', form), (app) => {
    app.view({ callback_id: 'form', type: 'view_closed' }, async ({ ack }) => ack());
  });
  await anna.fills('Words', 'Entered');
  await anna.closes();
  expect(slack.deliveries.at(-1)).toMatchObject({ kind: 'view_closed', outcome: 'acked' });
  expect(slack.deliveries.at(-1)?.payload.view).toHaveProperty('state', { values: {} });
});

test('closing a form with changed entries needs a confirmation', async () => {
  const form = { ...textForm('words', 'As it was'), notify_on_close: true } as View;
  const { anna, slack } = await setUpWithView(form, (app) => {
    app.view({ callback_id: 'v', type: 'view_closed' }, async ({ ack }) => ack());
  });
  const closeDeliveries = () => slack.deliveries.filter(({ kind }) => kind === 'view_closed');
  await anna.fills('Words', 'Entered');
  await anna.clicks('Cancel');
  await anna.sees('Are you sure you want to leave?');
  await anna.declines('Stay');
  await anna.sees('Words: Entered');
  expect(closeDeliveries()).toEqual([]);
  await anna.clicks('Cancel');
  await anna.confirms('Leave');
  await anna.doesNotSee('Words');
  expect(closeDeliveries()).toHaveLength(1);
});

test('a form without changes closes without a confirmation', async () => {
  const { anna } = await setUpWithView(textForm('words', 'As it was'));
  await anna.fills('Words', 'Entered');
  await anna.fills('Words', 'As it was');
  await anna.clicks('Cancel');
  await anna.sees('== #general ==');
});

test('views.push needs a trigger from an open form', async () => {
  const setup = await setUpWorkspace();
  await startBot(setup, (app) => app.command('/drop', async ({ ack }) => ack()));
  await setup.anna.types('/drop', { in: '#general' });
  const client = clientFor(setup.slack, setup.token);
  expect(await refusal(client.views.push({ trigger_id: lastTrigger(setup), view: modal('Two') }))).toBe('not_found');
});

test('an update with an old hash is refused; the current hash or none is accepted', async () => {
  const setup = await setUpWithView(modal('One'));
  const [view] = setup.acme.views;
  const viewId = view?.id ?? '';
  const hash = view?.hash ?? '';
  const { client } = setup;
  await client.views.update({ view_id: viewId, hash, view: modal('Two') });
  await setup.anna.sees('Two');
  expect(await refusal(client.views.update({ view_id: viewId, hash, view: modal('Three') }))).toBe('hash_conflict');
  await client.views.update({ view_id: viewId, view: modal('Four') });
  await setup.anna.sees('Four');
});

test('entries survive an update if block and element keep their ids', async () => {
  const input = (blockId: string) => ({
    type: 'input',
    block_id: blockId,
    label: plain(blockId),
    element: { type: 'plain_text_input', action_id: 'a' },
  });
  const view = (...ids: string[]) => modal('', { submit: plain('Go'), blocks: ids.map(input) });
  const setup = await setUpWithView(view('kept', 'lost'));
  await setup.anna.fills('kept', 'stays');
  await setup.anna.fills('lost', 'goes');
  await setup.client.views.update({ view_id: setup.acme.views[0]?.id ?? '', view: view('kept', 'other') });
  await setup.anna.sees('kept: stays other:');
  await setup.anna.doesNotSee('goes');
});

const wordsInput = (blockId: string, initial: string) => ({
  type: 'input',
  block_id: blockId,
  label: plain('Words'),
  element: { type: 'plain_text_input', action_id: 'a', initial_value: initial },
});
const textForm = (blockId: string, initial: string) =>
  modal('', { callback_id: 'v', submit: plain('Go'), blocks: [wordsInput(blockId, initial)] });

test('if a modal had a field before, the field keeps its entry, not the initial value', async () => {
  const setup = await setUpWithView(textForm('one', 'first'));
  const update = (view: View) => setup.client.views.update({ view_id: setup.acme.views[0]?.id ?? '', view });
  await update(textForm('one', 'second'));
  await setup.anna.sees('Words: first');
  await setup.anna.fills('Words', 'typed');
  await update(modal('Nothing to fill in'));
  await setup.anna.sees('Nothing to fill in');
  await update(textForm('one', 'third'));
  await setup.anna.sees('Words: typed');
  await update(textForm('two', 'fourth'));
  await setup.anna.sees('Words: fourth');
});

test.each(['update', 'push'] as const)(
  'after a submission, a view shown by %s keeps entries with known ids',
  async (action) => {
    const ids = ['one', 'two'];
    const setup = await setUpWithView(textForm('one', 'first'), (app) => {
      app.view('v', async ({ ack }) =>
        ack({ response_action: action, view: textForm(ids.shift() ?? '', 'ours') as never }),
      );
    });
    await setup.anna.fills('Words', 'typed');
    await setup.anna.submits('Go');
    await setup.anna.sees('Words: typed');
    await setup.anna.submits('Go');
    await setup.anna.sees('Words: ours');
  },
);

test('if a view is pushed again, it keeps its earlier entries', async () => {
  const open = button('Open', 'open');
  const setup = await setUpWithView(modal('Below', { blocks: [section('Below'), open] }), (app) => {
    app.action('open', async ({ ack, client, body }) => {
      await ack();
      if ('trigger_id' in body) await client.views.push({ trigger_id: body.trigger_id, view: textForm('one', 'ours') });
    });
  });
  await setup.anna.clicks('Open');
  await setup.anna.sees('Words: ours');
  await setup.anna.fills('Words', 'typed');
  await setup.anna.clicks('Cancel');
  await setup.anna.confirms('Leave');
  await setup.anna.clicks('Open');
  await setup.anna.sees('Words: typed');
});

test('payloads contain escaped texts, and entries as typed', async () => {
  const special = 'R&D <plan>';
  const escaped = { type: 'plain_text', text: 'R&amp;D &lt;plan&gt;' };
  const option = { text: plain(special), value: special };
  const blocks = [
    { type: 'section', text: plain(special) },
    { ...wordsInput('words', special), label: plain(special) },
    {
      type: 'input',
      block_id: 'menu',
      label: plain('Menu'),
      dispatch_action: true,
      element: { type: 'static_select', action_id: 'menu', options: [option] },
    },
  ];
  const setup = await setUpWithView(
    modal('', { callback_id: 'v', submit: plain(special), private_metadata: special, blocks }),
    (app) => {
      app.action('menu', async ({ ack }) => ack());
      app.view('v', async ({ ack }) => ack());
    },
  );
  const { anna, slack } = setup;
  const value = { type: 'static_select', selected_option: { text: escaped, value: special } };
  const view = {
    submit: escaped,
    private_metadata: special,
    blocks: [
      { text: escaped },
      { label: escaped, element: { initial_value: special } },
      { element: { options: [{ text: escaped }] } },
    ],
    state: { values: { words: { a: { value: special } }, menu: { menu: value } } },
  };
  await anna.picks('Menu', special);
  expect(slack.deliveries.at(-1)?.payload).toMatchObject({ type: 'block_actions', actions: [value], view });
  await anna.sees(`[${special}]`);
  await anna.submits(special);
  expect(slack.deliveries.at(-1)?.payload).toMatchObject({ type: 'view_submission', view });
});

test('a closed view cannot be updated', async () => {
  const setup = await setUpWithView(modal('One'));
  const viewId = setup.acme.views[0]?.id ?? '';
  await setup.anna.closes();
  expect(await refusal(setup.client.views.update({ view_id: viewId, view: modal('Two') }))).toBe('not_found');
  expect(setup.slack.deliveries.map(({ kind }) => kind)).toEqual(['slash_command']);
});

test.each([
  ['update', 'Second view', 1],
  ['push', 'Second view', 2],
  ['clear', '== #general ==', 0],
] as const)('a submission can be answered with %s', async (action, seen, open) => {
  const setup = await setUpWithView(modal('First view', { callback_id: 'v', submit: plain('Go') }), (app) => {
    app.view('v', async ({ ack }) =>
      action === 'clear'
        ? ack({ response_action: 'clear' })
        : ack({ response_action: action, view: modal('Second view') as never }),
    );
  });
  await setup.anna.submits('Go');
  await setup.anna.sees(seen);
  await setup.anna.doesNotSee('First view');
  expect(setup.anna.client.modals).toHaveLength(open);
});

test.each([
  ['an error for a non-input block', { response_action: 'errors', errors: { nowhere: 'x' } }, 'no input block'],
  ['an empty list of errors', { response_action: 'errors', errors: {} }, 'errors are missing'],
  ['an invalid view', { response_action: 'update', view: modal('x'.repeat(3001)) }, 'invalid_arguments'],
  ['an unknown action', { response_action: 'explode' }, 'unknown response_action'],
  ['text', 'thanks', 'not JSON'],
])('a form answered with %s fails and stays open', async (_, answer, problem) => {
  const setup = await setUpWithView(modal('Stays', { callback_id: 'v', submit: plain('Go') }), (app) => {
    app.view('v', async ({ ack }) => ack(answer as never));
  });
  await setup.anna.submits();
  await setup.anna.sees('We had some trouble connecting. Try again?');
  await setup.anna.sees('Stays');
  expect(setup.slack.deliveries.at(-1)).toMatchObject({ outcome: 'failed', problem: expect.stringContaining(problem) });
});

test('a view of another workspace is not found', async () => {
  const setup = await setUpWithView(modal('One'));
  const other = setup.slack.addWorkspace({ name: 'Other' });
  const { botToken } = other.install({ by: other.addPerson({ name: 'Olga', role: 'owner' }) });
  const call = clientFor(setup.slack, botToken).views.update({
    view_id: setup.acme.views[0]?.id ?? '',
    view: modal('x'),
  });
  expect(await refusal(call)).toBe('not_found');
});

test('blocks copied from a payload of Slack are refused', async () => {
  const { client, slack, anna } = await setUpWithView(
    modal('One', { blocks: [section('One'), button('Go', 'go')] }),
    (app) => app.action('go', async ({ ack }) => ack()),
  );
  await anna.clicks('Go');
  const returned = slack.deliveries.at(-1)?.payload.view as { id: string; blocks: object[] } | undefined;
  const id = returned?.id ?? '';
  const again = modal('', { blocks: returned?.blocks });
  expect(await refusal(client.views.update({ view_id: id, view: again }))).toBe('invalid_arguments');
  await client.views.update({ view_id: id, view: modal('Two', { blocks: [section('Two'), button('Go', 'go')] }) });
  await anna.sees('Two');
});
