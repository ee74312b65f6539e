import { z } from 'zod';
import { limits } from './limits.ts';
import {
  initialIsAnOption,
  markupOption,
  menuOption,
  oneKindOfOptions,
  optionGroups,
  options,
  plainOption,
  uniqueValues,
} from './options.ts';
import {
  anyText,
  conversationId,
  date,
  flag,
  id,
  integer,
  link,
  list,
  plainText,
  text,
  typed,
  unique,
  uniqueList,
  userId,
} from './values.ts';

const style = z.enum(['primary', 'danger']).optional();

/** A confirmation dialog. Slack's types make three of its texts optional; its documentation requires all of them. */
const confirm = z.strictObject({
  title: plainText(limits.confirm.title),
  text: anyText(limits.confirm.text),
  confirm: plainText(limits.confirm.confirm),
  deny: plainText(limits.confirm.deny),
  style,
});

const clickable = { action_id: id.optional(), confirm: confirm.optional() };

const button = typed('button', {
  ...clickable,
  text: plainText(limits.button.text),
  url: link.optional(),
  value: text(limits.button.value).optional(),
  style,
  accessibility_label: text(limits.button.accessibilityLabel).optional(),
});

const overflow = typed('overflow', { ...clickable, options: list(menuOption, limits.overflow.options) }).refine(
  ...uniqueValues,
);

const checkboxList = list(markupOption, limits.checkboxes.options);

const checkboxes = typed('checkboxes', {
  ...clickable,
  options: checkboxList,
  initial_options: checkboxList.superRefine(unique('value')).optional(),
})
  .refine(...uniqueValues)
  .superRefine(initialIsAnOption);

const radioButtons = typed('radio_buttons', {
  ...clickable,
  options: list(markupOption, limits.radioButtons.options),
  initial_option: markupOption.optional(),
})
  .refine(...uniqueValues)
  .superRefine(initialIsAnOption);

const placeholder = plainText(limits.placeholder).optional();
const select = { ...clickable, placeholder };
const staticOptions = { options: options.min(1).optional(), option_groups: optionGroups.min(1).optional() };
const initial_options = list(plainOption).superRefine(unique('value')).optional();

const staticSelect = typed('static_select', { ...select, ...staticOptions, initial_option: plainOption.optional() })
  .refine(...oneKindOfOptions)
  .refine(...uniqueValues)
  .superRefine(initialIsAnOption);

const multiStaticSelect = typed('multi_static_select', { ...select, ...staticOptions, initial_options })
  .refine(...oneKindOfOptions)
  .refine(...uniqueValues)
  .superRefine(initialIsAnOption);

const filter = z
  .strictObject({
    include: uniqueList(z.enum(['im', 'mpim', 'private', 'public'])).optional(),
    exclude_external_shared_channels: flag,
    exclude_bot_users: flag,
  })
  .refine(
    (fields) => Object.keys(fields).length > 0,
    'must define at least one of: include, exclude_external_shared_channels, exclude_bot_users',
  )
  .optional();

const plainTextInput = typed('plain_text_input', {
  action_id: id.optional(),
  placeholder,
  dispatch_action_config: z
    .strictObject({ trigger_actions_on: uniqueList(z.enum(['on_enter_pressed', 'on_character_entered'])) })
    .optional(),
  initial_value: text(limits.plainTextInput.length).optional(),
  multiline: flag,
  max_length: integer(1, limits.plainTextInput.length).optional(),
}).refine(({ initial_value: initial = '', max_length: max = Number.POSITIVE_INFINITY }) => initial.length <= max, {
  error: 'must not be longer than max_length',
  path: ['initial_value'],
});

const fileExtension = z.string().regex(/^[a-z0-9_]{1,32}$/, 'must be a file extension without its dot');

const fileInput = typed('file_input', {
  action_id: id.optional(),
  filetypes: list(fileExtension).optional(),
  max_files: integer(1, limits.fileInput.files).optional(),
});

/** Elements that offer a choice, for sections, actions and inputs. Only elements that the bot uses are listed here. */
const choices = [
  checkboxes,
  radioButtons,
  staticSelect,
  multiStaticSelect,
  typed('multi_external_select', { ...select, min_query_length: integer(0).optional(), initial_options }),
  typed('datepicker', { ...select, initial_date: date.optional() }),
  typed('datetimepicker', { ...clickable, initial_date_time: integer(1_000_000_000, 9_999_999_999).optional() }),
  typed('users_select', { ...select, initial_user: userId.optional() }),
  typed('multi_users_select', { ...select, initial_users: uniqueList(userId).optional() }),
  typed('conversations_select', { ...select, initial_conversation: conversationId.optional(), filter }),
  typed('multi_conversations_select', {
    ...select,
    initial_conversations: uniqueList(conversationId).optional(),
    filter,
  }),
] as const;

/** For sections and actions. */
export const actionElement = z.discriminatedUnion('type', [...choices, button, overflow]);

export const homeInput = z.discriminatedUnion('type', [...choices, plainTextInput]);
export const modalInput = z.discriminatedUnion('type', [...choices, plainTextInput, fileInput]);
