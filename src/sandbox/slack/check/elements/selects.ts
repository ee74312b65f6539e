import { confirm } from '../confirm.ts';
import { limits } from '../limits.ts';
import { initialIsAnOption, optionGroup, plainOption, uniqueValues } from '../options.ts';
import { atLeastOneOf, exactlyOneOf, list, noDuplicates, object, unique, variant } from '../shapes.ts';
import { placeholder } from '../text-objects.ts';
import { conversationId, date, flag, id, integer, oneOf, userId } from '../values.ts';

const common = { action_id: id, confirm, placeholder };
const options = list(plainOption, { max: limits.select.options });
const option_groups = list(optionGroup, { max: limits.select.groups });

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

export const staticSelect = variant(
  { optional: { ...common, options, option_groups, initial_option: plainOption } },
  exactlyOneOf('options', 'option_groups'),
  uniqueValues,
  initialIsAnOption,
);

export const multiStaticSelect = variant(
  { optional: { ...common, options, option_groups, initial_options: list(plainOption) } },
  exactlyOneOf('options', 'option_groups'),
  uniqueValues,
  initialIsAnOption,
  unique('initial_options', 'value'),
);

export const multiExternalSelect = variant(
  { optional: { ...common, min_query_length: integer(0), initial_options: list(plainOption) } },
  unique('initial_options', 'value'),
);

export const datepicker = variant({ optional: { ...common, initial_date: date } });

export const usersSelect = variant({ optional: { ...common, initial_user: userId } });

export const multiUsersSelect = variant(
  { optional: { ...common, initial_users: list(userId) } },
  noDuplicates('initial_users'),
);

export const conversationsSelect = variant({ optional: { ...common, initial_conversation: conversationId, filter } });

export const multiConversationsSelect = variant(
  { optional: { ...common, initial_conversations: list(conversationId), filter } },
  noDuplicates('initial_conversations'),
);
