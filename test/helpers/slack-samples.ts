// Our own examples of what Slack sends, with every field that the simulated workspace sends too.

/** Replace these ids to deliver a payload to another workspace or on behalf of another person. */
export const sampleTeam = 'T0SAMPLE01';
export const samplePerson = 'U0SAMPLE02';

const app = 'A0SAMPLE03';
const botUser = 'U0SAMPLE04';
const bot = 'B0SAMPLE05';
const channel = 'C0SAMPLE06';
const direct = 'D0SAMPLE07';
const ts = '1780000000.000100';

const plain = (text: string) => ({ type: 'plain_text', text, emoji: true });
const button = { type: 'button', action_id: 'open', text: plain('Open'), value: '7', style: 'primary' };
const blocks = [{ type: 'actions', block_id: 'row', elements: [button] }];

const message = {
  type: 'message',
  user: botUser,
  ts,
  text: 'Ready',
  team: sampleTeam,
  bot_id: bot,
  app_id: app,
  bot_profile: {
    id: bot,
    deleted: false,
    name: 'Courier',
    updated: 1770000000,
    app_id: app,
    icons: { image_36: 'https://a/36.png', image_48: 'https://a/48.png', image_72: 'https://a/72.png' },
    team_id: sampleTeam,
  },
  blocks,
};
const { ts: _, ...untimedMessage } = message;
const thread = { thread_ts: '1780000000.000050' };
const reply = { ...message, ...thread, parent_user_id: botUser };
const edited = { user: botUser, ts: '1780000009.000000' };

const file = {
  id: 'F0SAMPLE08',
  created: 1780000000,
  timestamp: 1780000000,
  name: 'map.png',
  title: 'map.png',
  mimetype: 'image/png',
  filetype: 'png',
  pretty_type: 'PNG',
  user: samplePerson,
  user_team: sampleTeam,
  editable: false,
  size: 5,
  mode: 'hosted',
  is_external: false,
  external_type: '',
  is_public: true,
  public_url_shared: false,
  display_as_bot: false,
  username: '',
  url_private: 'https://files.slack.com/files-pri/map.png',
  url_private_download: 'https://files.slack.com/files-pri/download/map.png',
  media_display_type: 'unknown',
  permalink: 'https://example.slack.com/files/map.png',
  permalink_public: 'https://slack-files.com/map',
  has_rich_preview: false,
  file_access: 'visible',
  has_more_shares: false,
};
const listedFile = { ...file, comments_count: 0, is_starred: false, channels: [channel], groups: [], ims: [] };
const share = {
  reply_users: [],
  reply_users_count: 0,
  reply_count: 0,
  ts,
  channel_name: 'plans',
  team_id: sampleTeam,
  share_user_id: samplePerson,
  source: 'UNKNOWN',
};
const sharedMessage = {
  client_msg_id: '00000000-0000-4000-8000-000000000009',
  type: 'message',
  user: samplePerson,
  ts,
  text: 'The map',
  team: sampleTeam,
  blocks: [],
  files: [file],
  upload: false,
  display_as_bot: false,
};

const modal = {
  id: 'V0SAMPLE10',
  team_id: sampleTeam,
  type: 'modal',
  blocks,
  private_metadata: '',
  callback_id: '',
  state: { values: {} },
  hash: '1780000000.abcdefgh',
  title: plain('Transfer'),
  clear_on_close: false,
  notify_on_close: true,
  close: plain('Back'),
  submit: plain('Next'),
  previous_view_id: null,
  root_view_id: 'V0SAMPLE10',
  app_id: app,
  external_id: '',
  app_installed_team_id: sampleTeam,
  bot_id: bot,
};
const home = { ...modal, type: 'home', close: null, submit: null };

/** The successful answers of the Web API, by method. */
export const answers: Record<string, object> = {
  'chat.postMessage': { ok: true, channel, ts, message: reply },
  'chat.postEphemeral': { ok: true, message_ts: ts },
  'chat.update': { ok: true, channel, ts, text: 'Done', message: { ...untimedMessage, edited } },
  'chat.getPermalink': { ok: true, channel, permalink: 'https://example.slack.com/archives/1' },
  'chat.delete': { ok: true, channel, ts },
  'files.getUploadURLExternal': { ok: true, upload_url: 'https://files.slack.com/upload/1', file_id: file.id },
  // Answered before the file is shared.
  'files.completeUploadExternal': { ok: true, files: [{ ...listedFile, shares: {} }] },
  'files.info': {
    ok: true,
    file: { ...listedFile, shares: { public: { [channel]: [share] } } },
    comments: [],
    response_metadata: { next_cursor: '' },
  },
  'files.delete': { ok: true },
  'auth.test': {
    ok: true,
    url: 'https://example.slack.com/',
    team: 'Example',
    user: 'courier',
    team_id: sampleTeam,
    user_id: botUser,
    bot_id: bot,
    is_enterprise_install: false,
  },
  'users.info': {
    ok: true,
    user: {
      id: samplePerson,
      team_id: sampleTeam,
      name: 'mira',
      deleted: false,
      color: '3c8c69',
      real_name: 'Mira',
      tz: 'Europe/Oslo',
      tz_label: 'Central European Time',
      tz_offset: 3600,
      profile: {
        title: '',
        phone: '',
        skype: '',
        real_name: 'Mira',
        real_name_normalized: 'Mira',
        display_name: 'mira',
        display_name_normalized: 'mira',
        status_text: '',
        status_emoji: '',
        status_emoji_display_info: [],
        status_expiration: 0,
        status_text_canonical: '',
        avatar_hash: 'abc',
        image_24: 'https://a/24.png',
        image_32: 'https://a/32.png',
        image_48: 'https://a/48.png',
        image_72: 'https://a/72.png',
        image_192: 'https://a/192.png',
        image_512: 'https://a/512.png',
        first_name: 'Mira',
        last_name: '',
        team: sampleTeam,
        email: 'mira@example.org',
      },
      is_admin: false,
      is_owner: false,
      is_primary_owner: false,
      is_restricted: false,
      is_ultra_restricted: false,
      is_bot: false,
      is_app_user: false,
      updated: 1770000000,
      is_email_confirmed: true,
      who_can_share_contact_card: 'EVERYONE',
    },
  },
  'conversations.info': {
    ok: true,
    channel: {
      id: channel,
      created: 1770000000,
      is_archived: false,
      is_org_shared: false,
      name: 'plans',
      name_normalized: 'plans',
      is_channel: true,
      is_group: false,
      is_im: false,
      is_mpim: false,
      is_private: false,
      is_general: false,
      unlinked: 0,
      is_shared: false,
      is_ext_shared: false,
      is_pending_ext_shared: false,
      pending_shared: [],
      pending_connected_team_ids: [],
      creator: samplePerson,
      context_team_id: sampleTeam,
      updated: 1770000000000,
      shared_team_ids: [sampleTeam],
      is_member: true,
      last_read: '0000000000.000000',
      topic: { value: '', creator: '', last_set: 0 },
      purpose: { value: '', creator: '', last_set: 0 },
      previous_names: [],
    },
  },
  'views.open': { ok: true, view: modal },
  'views.push': { ok: true, view: modal },
  'views.update': { ok: true, view: modal },
  'views.publish': { ok: true, view: home },
  'oauth.v2.access': {
    ok: true,
    app_id: app,
    authed_user: { id: samplePerson },
    scope: 'commands,chat:write',
    token_type: 'bot',
    access_token: 'xoxb-sample',
    bot_user_id: botUser,
    team: { id: sampleTeam, name: 'Example' },
    enterprise: null,
    is_enterprise_install: false,
  },
};

const installation = { enterprise: null, is_enterprise_install: false };
const user = { id: samplePerson, username: 'mira', team_id: sampleTeam };
const team = { id: sampleTeam, domain: 'example' };
const interaction = { team, user: { ...user, name: 'mira' }, token: 'sample-token' };
const inView = { container: { type: 'view', view_id: modal.id }, view: modal };
const actions = [{ ...button, block_id: 'row', action_ts: ts }];

/** An event in its envelope. */
const event = (type: string, fields: object) => ({
  type: 'event_callback',
  token: 'sample-token',
  team_id: sampleTeam,
  context_team_id: sampleTeam,
  context_enterprise_id: null,
  api_app_id: app,
  event: { type, event_ts: ts, ...fields },
  event_id: `Ev${type}${Object(fields).subtype ?? ''}`,
  event_time: 1780000000,
  authorizations: [
    { enterprise_id: null, team_id: sampleTeam, user_id: botUser, is_bot: true, is_enterprise_install: false },
  ],
  is_ext_shared_channel: false,
  event_context: `1-${type}`,
});
const inDirect = { channel: direct, channel_type: 'im' };
const hidden = { ...inDirect, hidden: true, ts };

/** The payloads that the simulated workspace delivers, by kind. */
export const payloads: Record<string, object> = {
  slash_command: {
    token: 'sample-token',
    team_id: sampleTeam,
    team_domain: 'example',
    channel_id: channel,
    channel_name: 'plans',
    user_id: samplePerson,
    user_name: 'mira',
    command: '/drop',
    text: 'help',
    api_app_id: app,
    is_enterprise_install: 'false',
    response_url: 'https://hooks.slack.com/commands/1',
    trigger_id: '1.2.command',
  },
  'block_actions.view': {
    type: 'block_actions',
    ...interaction,
    ...installation,
    api_app_id: app,
    trigger_id: '1.2.view',
    ...inView,
    actions,
  },
  'block_actions.message': {
    type: 'block_actions',
    ...interaction,
    ...installation,
    api_app_id: app,
    trigger_id: '1.2.message',
    container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false },
    channel: { id: channel, name: 'plans' },
    message,
    state: { values: {} },
    response_url: 'https://hooks.slack.com/actions/1',
    actions,
  },
  block_suggestion: {
    type: 'block_suggestion',
    ...interaction,
    api_app_id: app,
    ...inView,
    action_id: 'to',
    block_id: 'recipients',
    value: 'mi',
  },
  view_submission: {
    type: 'view_submission',
    ...interaction,
    ...installation,
    api_app_id: app,
    trigger_id: '1.2.submission',
    view: modal,
    response_urls: [],
  },
  view_closed: {
    type: 'view_closed',
    ...interaction,
    ...installation,
    api_app_id: app,
    view: modal,
    is_cleared: false,
  },
  shortcut: {
    type: 'shortcut',
    team,
    user,
    token: 'sample-token',
    ...installation,
    action_ts: ts,
    callback_id: 'send.new',
    trigger_id: '1.2.shortcut',
  },
  message_action: {
    type: 'message_action',
    ...interaction,
    ...installation,
    action_ts: ts,
    callback_id: 'send.message',
    trigger_id: '1.2.message_action',
    channel: { id: channel, name: 'plans' },
    message_ts: ts,
    message: sharedMessage,
    response_url: 'https://hooks.slack.com/app/1',
  },
  'event.message': event('message', { ...reply, ...inDirect }),
  'event.message.message_changed': event('message', {
    subtype: 'message_changed',
    ...hidden,
    message: { ...reply, edited },
    previous_message: { ...message, ...thread },
  }),
  'event.message.message_deleted': event('message', {
    subtype: 'message_deleted',
    ...hidden,
    deleted_ts: ts,
    previous_message: { ...message, ...thread, edited },
  }),
  'event.message.file_share': event('message', { subtype: 'file_share', ...sharedMessage, ...inDirect }),
  'event.file_shared': event('file_shared', {
    channel_id: channel,
    file_id: file.id,
    user_id: samplePerson,
    file: { id: file.id },
  }),
  'event.file_deleted': event('file_deleted', { file_id: file.id }),
  'event.app_home_opened': event('app_home_opened', { user: samplePerson, channel: direct, tab: 'home', view: home }),
  'event.tokens_revoked': event('tokens_revoked', { tokens: { oauth: [], bot: [botUser] } }),
  'event.app_uninstalled': event('app_uninstalled', {}),
};

const person = { user: samplePerson, channel, channel_type: 'C', ts };

/** Payloads that the app doesn't expect: other events, and a button of an attachment. */
export const unexpectedPayloads: Record<string, object> = {
  'block_actions.message_attachment': {
    ...payloads['block_actions.message'],
    container: {
      type: 'message_attachment',
      message_ts: ts,
      attachment_id: 1,
      channel_id: channel,
      is_ephemeral: false,
    },
  },
  'block_actions.home': { ...payloads['block_actions.view'], view: home },
  'event.message.bot_message': event('message', { subtype: 'bot_message', bot_id: bot, text: 'Hi', ts, ...inDirect }),
  'event.message.channel_join': event('message', { subtype: 'channel_join', text: 'has joined', ...person }),
  'event.message.thread_broadcast': event('message', {
    subtype: 'thread_broadcast',
    ...person,
    ...thread,
    root: message,
  }),
  'event.app_mention': event('app_mention', { text: `<@${botUser}> help`, ...person }),
  'event.reaction_added': event('reaction_added', {
    reaction: 'eyes',
    item: { type: 'message', channel, ts },
    ...person,
  }),
  'event.member_joined_channel': event('member_joined_channel', { team: sampleTeam, ...person }),
  'event.member_left_channel': event('member_left_channel', { team: sampleTeam, ...person }),
  'event.file_public': event('file_public', { file_id: file.id, user_id: samplePerson, file: { id: file.id } }),
  'event.team_access_granted': event('team_access_granted', { team_ids: [sampleTeam] }),
  'event.team_access_revoked': event('team_access_revoked', { team_ids: [sampleTeam] }),
};
