import { divider, mrkdwn, option, plain, richText } from './helper.ts';

// Valid examples of every block and element that the bot uses, with all fields that they can have.

const url = 'https://example.org/x';
const confirm = { title: plain(), text: mrkdwn(), confirm: plain(), deny: plain(), style: 'danger' };
const common = { action_id: 'act', confirm };
const select = { ...common, placeholder: plain() };
const chosen = { ...option(0), description: plain() };
const offer = [chosen, option(1)];
const typing = {
  action_id: 'act',
  placeholder: plain(),
  dispatch_action_config: { trigger_actions_on: ['on_enter_pressed', 'on_character_entered'] },
};
const filter = {
  include: ['im', 'mpim', 'private', 'public'],
  exclude_external_shared_channels: true,
  exclude_bot_users: true,
};

/** Elements for sections, actions and inputs. */
export const choiceElements: Record<string, object> = {
  checkboxes: { type: 'checkboxes', ...common, options: offer, initial_options: [chosen] },
  radio_buttons: { type: 'radio_buttons', ...common, options: offer, initial_option: chosen },
  static_select: { type: 'static_select', ...select, options: offer, initial_option: chosen },
  grouped_select: {
    type: 'static_select',
    ...select,
    option_groups: [{ label: plain(), options: offer }],
    initial_option: option(1),
  },
  datepicker: { type: 'datepicker', ...select, initial_date: '2026-11-16' },
  users_select: { type: 'users_select', ...select, initial_user: 'U012ABC' },
  conversations_select: {
    type: 'conversations_select',
    ...select,
    initial_conversation: 'D012ABC',
    filter,
  },
  multi_static_select: { type: 'multi_static_select', ...select, options: offer, initial_options: offer },
  multi_external_select: {
    type: 'multi_external_select',
    ...select,
    initial_options: offer,
    min_query_length: 2,
  },
  multi_users_select: { type: 'multi_users_select', ...select, initial_users: ['U012ABC', 'W012ABC'] },
  multi_conversations_select: {
    type: 'multi_conversations_select',
    ...select,
    initial_conversations: ['C012ABC', 'G012ABC'],
    filter,
  },
};

export const clickableElements: Record<string, object> = {
  button: { type: 'button', text: plain(), ...common, url, value: 'v', style: 'primary', accessibility_label: 'words' },
  overflow: { type: 'overflow', ...common, options: [{ ...chosen, url }] },
};

export const textInputs: Record<string, object> = {
  plain_text_input: {
    type: 'plain_text_input',
    ...typing,
    initial_value: 'words',
    multiline: true,
    max_length: 5,
  },
};

export const fileInput = { type: 'file_input', action_id: 'act', filetypes: ['pdf', 'docx'], max_files: 3 };

const style = { bold: true, italic: true, strike: false, underline: true, code: true };

export const leaves: Record<string, object> = {
  text: { type: 'text', text: 'words ', style },
  link: { type: 'link', url, text: 'words', unsafe: true, style },
  user: { type: 'user', user_id: 'U012ABC', style },
  channel: { type: 'channel', channel_id: 'C012ABC', style },
  date: {
    type: 'date',
    timestamp: 1_700_000_000,
    format: 'Posted {date_num} at {time_secs}',
    url,
    fallback: 'words',
    style,
  },
};

const line = { type: 'rich_text_section', elements: [{ type: 'text', text: 'x' }] };

const blockId = { block_id: 'block' };

/** Blocks that messages, modals and Home tabs accept. */
export const commonBlocks: Record<string, object> = {
  section: { type: 'section', ...blockId, text: plain(), fields: [mrkdwn()], accessory: clickableElements.button },
  header: { type: 'header', ...blockId, text: { ...plain(), emoji: true } },
  divider: divider(blockId),
  context: { type: 'context', ...blockId, elements: [{ ...mrkdwn(), verbatim: true }, plain()] },
  actions: {
    type: 'actions',
    ...blockId,
    elements: [clickableElements.button, { ...clickableElements.overflow, action_id: 'two' }],
  },
  rich_text: {
    ...richText(
      { type: 'rich_text_section', elements: Object.values(leaves) },
      { type: 'rich_text_list', style: 'ordered', elements: [line], indent: 1, offset: 2, border: 1 },
    ),
    ...blockId,
  },
};

export const inputBlock = {
  type: 'input',
  ...blockId,
  label: plain(),
  element: textInputs.plain_text_input,
  hint: plain(),
  optional: true,
  dispatch_action: true,
};

/** Blocks and elements that Slack accepts but the bot doesn't use. */
export const unusedBlocks = [
  'alert',
  'card',
  'carousel',
  'container',
  'context_actions',
  'data_table',
  'file',
  'image',
  'markdown',
  'plan',
  'table',
  'task_card',
  'video',
];
export const unusedElements = [
  'channels_select',
  'email_text_input',
  'external_select',
  'feedback_buttons',
  'icon_button',
  'image',
  'multi_channels_select',
  'number_input',
  'rich_text_input',
  'timepicker',
  'url_text_input',
  'workflow_button',
];
export const unusedLeaves = ['broadcast', 'color', 'emoji', 'team', 'usergroup'];
