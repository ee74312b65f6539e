import { confirm } from '../confirm.ts';
import { limits } from '../limits.ts';
import { initialIsOffered, optionGroup, plainOption, uniqueValues } from '../options.ts';
import { below, type Check, refuse } from '../path.ts';
import { atLeastOne, entries, exactlyOne, kind, list, noRepeats, object, type Rule, unique } from '../shapes.ts';
import { placeholder } from '../text-objects.ts';
import { channelId, conversationId, flag, id, integer, oneOf, userId } from '../values.ts';
import { focus_on_load } from './focus.ts';

const common = { action_id: id, confirm, focus_on_load, placeholder };
const several = { ...common, max_selected_items: integer(1) };

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
  atLeastOne('include', 'exclude_external_shared_channels', 'exclude_bot_users'),
  noRepeats('include'),
);

/** Slack supports it only for a menu in an input block of a modal. */
const response_url_enabled: Check = (value, path) => {
  flag(value, path);
  if (value === true && !(path.whole.surface === 'modal' && path.parent?.key === 'element')) {
    refuse(path, 'only works in an input block of a modal');
  }
};

export const staticSelect = kind(
  { optional: { ...common, options, option_groups, initial_option: plainOption } },
  exactlyOne('options', 'option_groups'),
  uniqueValues,
  initialIsOffered,
);

export const multiStaticSelect = kind(
  { optional: { ...several, options, option_groups, initial_options: list(plainOption) } },
  exactlyOne('options', 'option_groups'),
  uniqueValues,
  initialIsOffered,
  unique('initial_options', 'value'),
  fitsSelection('initial_options'),
);

export const externalSelect = kind({ optional: { ...common, min_query_length, initial_option: plainOption } });

export const multiExternalSelect = kind(
  { optional: { ...several, min_query_length, initial_options: list(plainOption) } },
  unique('initial_options', 'value'),
  fitsSelection('initial_options'),
);

export const usersSelect = kind({ optional: { ...common, initial_user: userId } });

export const multiUsersSelect = kind(
  { optional: { ...several, initial_users: list(userId) } },
  noRepeats('initial_users'),
  fitsSelection('initial_users'),
);

export const conversationsSelect = kind({
  optional: {
    ...common,
    initial_conversation: conversationId,
    default_to_current_conversation: flag,
    filter,
    response_url_enabled,
  },
});

export const multiConversationsSelect = kind(
  {
    optional: {
      ...several,
      initial_conversations: list(conversationId),
      default_to_current_conversation: flag,
      filter,
    },
  },
  noRepeats('initial_conversations'),
  fitsSelection('initial_conversations'),
);

export const channelsSelect = kind({ optional: { ...common, initial_channel: channelId, response_url_enabled } });

export const multiChannelsSelect = kind(
  { optional: { ...several, initial_channels: list(channelId) } },
  noRepeats('initial_channels'),
  fitsSelection('initial_channels'),
);

/** The initial selection must not exceed max_selected_items. */
function fitsSelection(name: string): Rule {
  return (fields, path) => {
    const { max_selected_items: max } = fields;
    if (typeof max === 'number' && entries(fields[name]).length > max) {
      refuse(below(path, name), 'no more than max_selected_items allowed');
    }
  };
}
