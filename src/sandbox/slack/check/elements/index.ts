import type { Check } from '../path.ts';
import { byType, unsupported } from '../shapes.ts';
import { button } from './buttons.ts';
import { checkboxes, overflow, radioButtons } from './choices.ts';
import { image } from './image.ts';
import * as inputs from './inputs.ts';
import { datepicker, datetimepicker, timepicker } from './pickers.ts';
import * as selects from './selects.ts';

/** Elements that offer a choice; accepted wherever elements are. */
const choiceElements: Record<string, Check> = {
  checkboxes,
  radio_buttons: radioButtons,
  datepicker,
  timepicker,
  static_select: selects.staticSelect,
  external_select: selects.externalSelect,
  users_select: selects.usersSelect,
  conversations_select: selects.conversationsSelect,
  channels_select: selects.channelsSelect,
  multi_static_select: selects.multiStaticSelect,
  multi_external_select: selects.multiExternalSelect,
  multi_users_select: selects.multiUsersSelect,
  multi_conversations_select: selects.multiConversationsSelect,
  multi_channels_select: selects.multiChannelsSelect,
};

const clickable = { button, overflow, workflow_button: unsupported('workflow_button') };

export const accessory = byType({ ...choiceElements, ...clickable, image });

export const actionElement = byType({
  ...choiceElements,
  ...clickable,
  datetimepicker,
  rich_text_input: inputs.richTextInput,
});

const inputElements = {
  ...choiceElements,
  datetimepicker,
  plain_text_input: inputs.plainTextInput,
  rich_text_input: inputs.richTextInput,
  email_text_input: inputs.emailInput,
  url_text_input: inputs.urlInput,
  number_input: inputs.numberInput,
};

const modalInput = byType({ ...inputElements, file_input: inputs.fileInput });
const homeInput = byType(inputElements);

export const inputElement: Check = (value, path) => {
  const check = path.state.surface === 'modal' ? modalInput : homeInput;
  check(value, path);
};
