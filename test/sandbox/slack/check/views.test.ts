import { expect, test } from 'vitest';
import { checkView } from '../../../../src/sandbox/slack/check/index.ts';
import {
  checkInHome,
  checkInModal,
  divider,
  expectRefusal,
  input,
  letters,
  modal,
  plain,
  refusal,
  section,
  testCharacters,
  times,
} from './helper.ts';

const textInput = (more: object = {}) => input({ type: 'plain_text_input', ...more });

for (const name of ['title', 'submit', 'close']) {
  testCharacters(`the ${name} of a modal`, 24, `/view/${name}/text`, (n) =>
    checkView(modal([divider()], { [name]: plain(letters(n)) })),
  );
}

for (const [name, limit] of [
  ['private_metadata', 3000],
  ['callback_id', 255],
] as const) {
  testCharacters(`${name} of a modal`, limit, `/view/${name}`, (n) =>
    checkView(modal([divider()], { [name]: letters(n) })),
  );
  testCharacters(`${name} of a Home tab`, limit, `/view/${name}`, (n) =>
    checkView({ type: 'home', blocks: [divider()], [name]: letters(n) }),
  );
  test(`an empty ${name} is refused, although Slack returns empty ones`, () => {
    expect(checkView(modal([divider()], { [name]: '' }))?.error).toBe('invalid_arguments');
  });
}

test('a view has at most 250,000 bytes of JSON', () => {
  const sized = (bytes: number) => {
    const full = times(83, () => section({ text: plain('x'.repeat(2930)) }));
    const empty = JSON.stringify(modal([...full, section({ text: plain('') })])).length;
    return checkView(modal([...full, section({ text: plain(letters(bytes - empty)) })]));
  };
  expect(sized(250_000)).toBeUndefined();
  expect(sized(250_001)).toEqual({ error: 'view_too_large', messages: [] });
});

test('the size of a view is measured in UTF-8 bytes, as it is sent', () => {
  const blocks = (text: string) => modal(times(50, () => section({ text: plain(text) })));
  expect(checkView(blocks('e'.repeat(2500)))).toBeUndefined();
  expect(checkView(blocks('é'.repeat(2500)))?.error).toBe('view_too_large');
});

test('an invalid view is refused as invalid_arguments, with a JSON pointer', () => {
  expect(checkView({ type: 'modal', blocks: [divider()] })).toEqual({
    error: 'invalid_arguments',
    messages: [refusal('missing required field: title', '/view')],
  });
});

test('the error for a view lists all its missing fields', () => {
  expect(checkView({ type: 'modal' })?.messages).toEqual([
    refusal('missing required field: title', '/view'),
    refusal('missing required field: blocks', '/view'),
  ]);
});

test('a modal with an input needs a submit label', () => {
  const bare = (...blocks: unknown[]) => checkView({ type: 'modal', title: plain(), blocks });
  expect(bare(divider())).toBeUndefined();
  expectRefusal(bare(divider(), textInput()), 'missing required field: submit', '/view');
  expect(checkInModal(textInput())).toBeUndefined();
});

test('a Home tab accepts inputs, but no field that only modals have', () => {
  expect(checkInHome(textInput())).toBeUndefined();
  for (const [name, value] of Object.entries({
    title: plain(),
    submit: plain(),
    close: plain(),
    notify_on_close: true,
  })) {
    const problem = checkView({ type: 'home', blocks: [divider()], [name]: value });
    expectRefusal(problem, `invalid additional property: ${name}`, '/view');
  }
});

test("a modal can't have fields of workflow steps, fields of answers or unused fields", () => {
  for (const name of ['submit_disabled', 'external_id', 'clear_on_close', 'id', 'hash', 'state', 'team_id']) {
    const problem = checkView(modal([divider()], { [name]: true }));
    expectRefusal(problem, `invalid additional property: ${name}`, '/view');
  }
});

test('the type of a view is modal or home', () => {
  expectRefusal(checkView({ type: 'workflow_step', blocks: [] }), 'unsupported type: workflow_step', '/view/type');
  expectRefusal(checkView({ blocks: [] }), 'missing required field: type', '/view');
  expectRefusal(checkView({ type: 5 }), 'must provide a string', '/view/type');
  for (const view of [undefined, null, 'modal', [], 5])
    expectRefusal(checkView(view), 'must provide an object', '/view');
});

test('a view needs at least one block', () => {
  expectRefusal(checkInModal(), 'no fewer than 1 items allowed', '/view/blocks');
  expectRefusal(checkInHome(), 'no fewer than 1 items allowed', '/view/blocks');
  expectRefusal(checkView(modal({})), 'must provide an array', '/view/blocks');
});

test('the title of a modal is plain text', () => {
  const problem = checkView(modal([divider()], { title: { type: 'mrkdwn', text: '*words*' } }));
  expectRefusal(problem, 'unsupported type: mrkdwn', '/view/title/type');
});
