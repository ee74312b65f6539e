import { button, cell, divider, mrkdwn, option, plain, rich, richText } from './helper.ts';

/** One valid specimen of each kind, with every field that it can have. */

const url = 'https://example.org/x';
const confirm = { title: plain(), text: mrkdwn(), confirm: plain(), deny: plain(), style: 'danger' };
const common = { action_id: 'act', confirm };
const select = { ...common, placeholder: plain() };
const multiSelect = { ...select, max_selected_items: 3 };
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

export const image = { type: 'image', image_url: url, alt_text: 'a cat' };

/** Elements for sections, actions and inputs. */
export const choiceElements: Record<string, object> = {
  checkboxes: { type: 'checkboxes', ...common, options: offer, initial_options: [chosen], focus_on_load: true },
  radio_buttons: { type: 'radio_buttons', ...common, options: offer, initial_option: chosen, focus_on_load: true },
  datepicker: { type: 'datepicker', ...select, initial_date: '2026-02-28', focus_on_load: true },
  timepicker: { type: 'timepicker', ...select, initial_time: '23:59', timezone: 'Europe/Stockholm' },
  static_select: { type: 'static_select', ...select, options: offer, initial_option: chosen, focus_on_load: true },
  grouped_select: {
    type: 'static_select',
    ...select,
    option_groups: [{ label: plain(), options: offer }],
    initial_option: option(1),
  },
  external_select: { type: 'external_select', ...select, initial_option: chosen, min_query_length: 0 },
  users_select: { type: 'users_select', ...select, initial_user: 'U012ABC' },
  conversations_select: {
    type: 'conversations_select',
    ...select,
    initial_conversation: 'D012ABC',
    default_to_current_conversation: true,
    filter,
  },
  channels_select: { type: 'channels_select', ...select, initial_channel: 'C012ABC' },
  multi_static_select: { type: 'multi_static_select', ...multiSelect, options: offer, initial_options: offer },
  multi_external_select: {
    type: 'multi_external_select',
    ...multiSelect,
    initial_options: offer,
    min_query_length: 2,
    focus_on_load: false,
  },
  multi_users_select: { type: 'multi_users_select', ...multiSelect, initial_users: ['U012ABC', 'W012ABC'] },
  multi_conversations_select: {
    type: 'multi_conversations_select',
    ...multiSelect,
    initial_conversations: ['C012ABC', 'G012ABC'],
    default_to_current_conversation: false,
    filter,
  },
  multi_channels_select: { type: 'multi_channels_select', ...multiSelect, initial_channels: ['C012ABC'] },
};

export const clickable: Record<string, object> = {
  button: { type: 'button', text: plain(), ...common, url, value: 'v', style: 'primary', accessibility_label: 'words' },
  overflow: { type: 'overflow', ...common, options: [{ ...chosen, url }] },
};

export const datetimepicker = { type: 'datetimepicker', ...common, initial_date_time: 1_700_000_000 };

export const richTextInput = {
  type: 'rich_text_input',
  ...typing,
  initial_value: rich({ type: 'text', text: 'words' }),
  min_lines: 2,
  max_lines: 2,
};

export const typed: Record<string, object> = {
  plain_text_input: {
    type: 'plain_text_input',
    ...typing,
    initial_value: 'words',
    multiline: true,
    min_length: 0,
    max_length: 5,
    focus_on_load: true,
  },
  email_text_input: { type: 'email_text_input', ...typing, initial_value: 'ada@example.org' },
  url_text_input: { type: 'url_text_input', ...typing, initial_value: url },
  number_input: {
    type: 'number_input',
    ...typing,
    is_decimal_allowed: true,
    initial_value: '0.5',
    min_value: '-1',
    max_value: '1.5',
  },
};

export const fileInput = { type: 'file_input', action_id: 'act', filetypes: ['pdf', 'docx'], max_files: 3 };

const style = { bold: true, italic: true, strike: false, underline: true, code: true };

export const leaves: Record<string, object> = {
  text: { type: 'text', text: 'words ', style },
  link: { type: 'link', url, text: 'words', unsafe: true, style },
  user: { type: 'user', user_id: 'U012ABC', style },
  usergroup: { type: 'usergroup', usergroup_id: 'S012ABC', style },
  team: { type: 'team', team_id: 'T012ABC', style },
  channel: { type: 'channel', channel_id: 'C012ABC', style },
  broadcast: { type: 'broadcast', range: 'here', style },
  color: { type: 'color', value: '#00ff7F', style },
  emoji: { type: 'emoji', name: 'wave', unicode: '1f44b-1f3ff', url, style },
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

export const everywhere: Record<string, object> = {
  section: { type: 'section', ...blockId, text: plain(), fields: [mrkdwn()], accessory: image, expand: true },
  header: { type: 'header', ...blockId, text: { ...plain(), emoji: true } },
  divider: divider(blockId),
  context: { type: 'context', ...blockId, elements: [image, { ...mrkdwn(), verbatim: true }, plain()] },
  actions: { type: 'actions', ...blockId, elements: [clickable.button, { ...clickable.overflow, action_id: 'two' }] },
  image: { ...image, ...blockId, title: plain() },
  slack_image: { type: 'image', alt_text: 'a cat', slack_file: { id: 'F012ABC' } },
  rich_text: {
    ...richText(
      { type: 'rich_text_section', elements: Object.values(leaves) },
      { type: 'rich_text_list', style: 'ordered', elements: [line], indent: 1, offset: 2, border: 1 },
      { type: 'rich_text_quote', elements: [leaves.user], border: 0 },
      { type: 'rich_text_preformatted', elements: [leaves.text, leaves.link], border: 0 },
    ),
    ...blockId,
  },
  card: {
    type: 'card',
    ...blockId,
    hero_image: image,
    icon: image,
    title: mrkdwn(),
    subtitle: mrkdwn(),
    body: mrkdwn(),
    actions: [button({ action_id: 'one' }), button({ action_id: 'two' })],
  },
};

export const inputBlock = {
  type: 'input',
  ...blockId,
  label: plain(),
  element: typed.plain_text_input,
  hint: plain(),
  optional: true,
  dispatch_action: true,
};

export const alert = { type: 'alert', ...blockId, text: mrkdwn(), level: 'warning' };

export const carousel = { type: 'carousel', ...blockId, elements: [{ type: 'card', title: mrkdwn() }] };

const task = {
  type: 'task_card',
  ...blockId,
  task_id: 'task',
  title: 'Upload',
  details: rich({ type: 'text', text: 'words' }),
  output: rich({ type: 'text', text: 'words' }),
  sources: [{ type: 'url', url, text: 'words' }],
  status: 'in_progress',
};

const feedback = { text: plain(), value: 'good', accessibility_label: 'words' };

export const messageOnly: Record<string, object> = {
  markdown: { type: 'markdown', ...blockId, text: '# words' },
  table: {
    type: 'table',
    ...blockId,
    rows: [
      [cell(), { type: 'raw_number', value: 1.5, text: '1.50' }],
      [rich({ type: 'text', text: 'x' }), cell()],
    ],
    column_settings: [{ align: 'right', is_wrapped: true }],
  },
  data_table: {
    type: 'data_table',
    ...blockId,
    caption: 'Files',
    page_size: 10,
    row_header_column_index: 1,
    rows: [
      [cell(), cell()],
      [rich({ type: 'text', text: 'x' }), { type: 'raw_number', value: 3, text: '3' }],
    ],
  },
  container: {
    type: 'container',
    ...blockId,
    title: plain(),
    rich_text_title: rich({ type: 'text', text: 'x' }),
    subtitle: mrkdwn(),
    icon: image,
    width: 'wide',
    is_collapsible: true,
    default_collapsed: true,
    has_header_divider: false,
    child_blocks: [divider(), { type: 'table', rows: [[cell()]] }],
  },
  context_actions: {
    type: 'context_actions',
    ...blockId,
    elements: [
      { type: 'feedback_buttons', action_id: 'one', positive_button: feedback, negative_button: feedback },
      {
        type: 'icon_button',
        action_id: 'two',
        icon: 'trash',
        text: plain(),
        accessibility_label: 'words',
        value: 'v',
        visible_to_user_ids: ['U012ABC'],
        confirm,
      },
    ],
  },
  task_card: task,
  plan: { type: 'plan', block_id: 'plan', title: 'Send', tasks: [task] },
};
