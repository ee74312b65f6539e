import { confirm } from '../confirm.ts';
import { limits } from '../limits.ts';
import { initialIsAnOption, optionGroup, plainOption, uniqueValues } from '../options.ts';
import { type Check, child, refuse } from '../path.ts';
import {
  atLeastOneOf,
  entries,
  exactlyOneOf,
  list,
  noDuplicates,
  object,
  type Rule,
  unique,
  variant,
} from '../shapes.ts';
import { placeholder } from '../text-objects.ts';
import { channelId, conversationId, flag, id, integer, oneOf, userId } from '../values.ts';
import { focus_on_load } from './focus.ts';

const common = { action_id: id, confirm, focus_on_load, placeholder };
const multi = { ...common, max_selected_items: integer(1) };

const options = list(plainOption, { max: limits.select.options });
const option_groups = list(optionGroup, { max: limits.select.groups });
const min_query_length = integer(0);

const filter = object(
  {
    optional: {
      include: list(oneOf('im', 'mpim', 'private', 'public'), { max: 4 }),
      exclude_external_shared_channels: flag,
      exclude_bot_users: flag,
    },
  },
  atLeastOneOf('include', 'exclude_external_shared_channels', 'exclude_bot_users'),
  noDuplicates('include'),
);

/** Slack supports it only for a menu in an input block of a modal. */
const response_url_enabled: Check = (value, path) => {
  flag(value, path);
  if (value === true && !(path.state.surface === 'modal' && path.parent?.key === 'element')) {
    refuse(path, 'only works in an input block of a modal');
  }
};

export const staticSelect = variant(
  { optional: { ...common, options, option_groups, initial_option: plainOption } },
  exactlyOneOf('options', 'option_groups'),
  uniqueValues,
  initialIsAnOption,
);

export const multiStaticSelect = variant(
  { optional: { ...multi, options, option_groups, initial_options: list(plainOption) } },
  exactlyOneOf('options', 'option_groups'),
  uniqueValues,
  initialIsAnOption,
  unique('initial_options', 'value'),
  fitsSelection('initial_options'),
);

export const externalSelect = variant({ optional: { ...common, min_query_length, initial_option: plainOption } });

export const multiExternalSelect = variant(
  { optional: { ...multi, min_query_length, initial_options: list(plainOption) } },
  unique('initial_options', 'value'),
  fitsSelection('initial_options'),
);

export const usersSelect = variant({ optional: { ...common, initial_user: userId } });

export const multiUsersSelect = variant(
  { optional: { ...multi, initial_users: list(userId) } },
  noDuplicates('initial_users'),
  fitsSelection('initial_users'),
);

export const conversationsSelect = variant({
  optional: {
    ...common,
    initial_conversation: conversationId,
    default_to_current_conversation: flag,
    filter,
    response_url_enabled,
  },
});

export const multiConversationsSelect = variant(
  {
    optional: {
      ...multi,
      initial_conversations: list(conversationId),
      default_to_current_conversation: flag,
      filter,
    },
  },
  noDuplicates('initial_conversations'),
  fitsSelection('initial_conversations'),
);

export const channelsSelect = variant({ optional: { ...common, initial_channel: channelId, response_url_enabled } });

export const multiChannelsSelect = variant(
  { optional: { ...multi, initial_channels: list(channelId) } },
  noDuplicates('initial_channels'),
  fitsSelection('initial_channels'),
);

/** The initial selection must not exceed max_selected_items. */
function fitsSelection(name: string): Rule {
  return (fields, path) => {
    const { max_selected_items: max } = fields;
    if (typeof max === 'number' && entries(fields[name]).length > max) {
      refuse(child(path, name), 'no more than max_selected_items allowed');
    }
  };
}
