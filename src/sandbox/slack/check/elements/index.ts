import type { Check } from '../path.ts';
import { byType } from '../shapes.ts';
import { button } from './buttons.ts';
import { checkboxes, overflow, radioButtons } from './choices.ts';
import { fileInput, plainTextInput } from './inputs.ts';
import * as selects from './selects.ts';

/** Elements that offer a choice, for sections, actions and inputs. Only elements that the bot uses are listed here. */
const choiceElements: Record<string, Check> = {
  checkboxes,
  radio_buttons: radioButtons,
  datepicker: selects.datepicker,
  static_select: selects.staticSelect,
  users_select: selects.usersSelect,
  conversations_select: selects.conversationsSelect,
  multi_static_select: selects.multiStaticSelect,
  multi_external_select: selects.multiExternalSelect,
  multi_users_select: selects.multiUsersSelect,
  multi_conversations_select: selects.multiConversationsSelect,
};

/** For sections and actions. */
export const actionElement = byType({ ...choiceElements, button, overflow });

const homeInputs = { ...choiceElements, plain_text_input: plainTextInput };
const modalInput = byType({ ...homeInputs, file_input: fileInput });
const homeInput = byType(homeInputs);

export const inputElement: Check = (value, path) => {
  const check = path.state.surface === 'modal' ? modalInput : homeInput;
  check(value, path);
};
