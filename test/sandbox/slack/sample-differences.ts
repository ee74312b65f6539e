/** A known difference from Slack's samples, with its reason. `paths` matches `name: path`. */
export interface Difference {
  paths: RegExp;
  reason: string;
}

const anyFile = String.raw`(?:files\[\]|file|message\.files\[\]|message\.file|event\.files\[\])`;

/** Keys that are in the samples but are not sent by the server. */
export const absent: Difference[] = [
  {
    paths:
      /: (error|errors|needed|provided|warning|arg|callstack|deprecated_argument|response_metadata(\.messages|\.warnings)?)$/,
    reason: 'only in refusals and warnings; the shapes are the union of all answers',
  },
  {
    paths: new RegExp(
      `: ${anyFile}\\.(thumb_\\w+|preview\\w*|lines\\w*|original_[hw]|original_attachment_count|image_exif_rotation|deanimate\\w*|pjpeg|converted_pdf|mp4\\w*|hls\\w*|vtt|duration_ms|transcription|media_progress|url_static_preview|plain_text|simplified_html|alt_txt|has_more|edit_link)$`,
    ),
    reason: 'files have no previews',
  },
  { paths: new RegExp(`: ${anyFile}\\.edit_timestamp$`), reason: 'only for edited snippets' },
  {
    paths: new RegExp(
      `: ${anyFile}\\.(cc|to|from|headers|subject|quip_thread_id|list_\\w+|canvas_\\w+|can_toggle_canvas_lock|is_channel_space|linked_channel_id|template_\\w+|title_blocks|show_badge|update_notification|dm_mpdm_users_with_file_access|teams_shared_with|org_or_workspace_access|private_\\w+|is_restricted_sharing_enabled|team_pref_version_history_enabled|channel_actions_\\w+|editors?|last_editor|non_owner_editable|updated|access|bot_id|is_modified_by_ai|sent_to_self|last_read)$`,
    ),
    reason: 'only for emails, canvases and lists, which cannot be sent as files',
  },
  {
    paths: new RegExp(
      `: ${anyFile}\\.(favorites|saved|pinned_to|reactions|num_stars|initial_comment|comments|subtype)$`,
    ),
    reason: 'saving, pinning, comments and reactions are not simulated',
  },
  {
    paths: new RegExp(`: ${anyFile}\\.(external_id|external_url|app_id|app_name|source_team)$`),
    reason: 'only for remote files of apps; external files have their URL in url_private',
  },
  {
    paths: new RegExp(
      `: ${anyFile}\\.shares(\\.private|\\.(public|private)\\.\\*\\[\\]\\.(access|date_last_shared|latest_reply|is_silent_share|thread_ts))?$`,
    ),
    reason: 'only files.info returns shares, with time and thread; replies are not counted',
  },
  {
    paths: /^files\.completeUploadExternal: files\[\]\.shares\.public$/,
    reason: 'the answer is sent before the file is shared, as usual in Slack',
  },
  {
    paths: new RegExp(`: ${anyFile}\\.(channels|groups|ims|comments_count|is_starred|has_more_shares)$`),
    reason: 'only in files.info',
  },
  {
    paths: /^files\.info: (comments\[\]\.\w+|content\w*|is_truncated|paging)$/,
    reason: 'obsolete: comments, contents and pages',
  },
  {
    paths: /(enterprise|sso_provider|pay_prod_cur|is_org_|is_global_shared|is_sfdc|lob_sales|teams$)/,
    reason: 'no Enterprise Grid, no Salesforce',
  },
  {
    paths: /: (bot_access_token|function_data|interactivity|workflow_step|.*assistant_app_thread)$/,
    reason: 'no workflows or assistants',
  },
  { paths: /: authed_(users|teams)$/, reason: 'replaced by authorizations in 2021' },
  {
    paths: /(app_unfurl|is_app_unfurl|unfurl_links|unfurl_media|entity_url|external_ref)/,
    reason: 'links are not unfurled',
  },
  {
    paths: /: (view|event\.view)\.(submit_disabled|channel|message_ts|thread_ts)$/,
    reason: 'only for views that request it, or for entities',
  },
  { paths: /: (view|event\.view)\.(close|submit)\.(type|text|emoji)$/, reason: 'a Home view has neither' },
  {
    paths:
      /^block_actions\.\w+: actions\[\]\.(confirm|url|placeholder|min_query_length|initial_\w+|selected_\w+|rich_text_value)$/,
    reason: 'only for elements other than the pressed button',
  },
  {
    paths: /^block_actions\.message: (view|container\.(view_id|text|attachment_id|thread_ts))$/,
    reason: 'only for other surfaces',
  },
  {
    paths: /^block_actions\.view: (channel|message|response_url|state|container\.\w+)$/,
    reason: 'only for messages; the view contains its state',
  },
  {
    paths: /^block_suggestion: (channel|container\.(channel_id|is_ephemeral|message_ts))$/,
    reason: 'only for messages',
  },
  {
    paths: /^view_submission: (is_cleared|response_urls\[\]\.\w+)$/,
    reason: 'only for view_closed, or for forms with a field that enables it',
  },
  { paths: /^view_closed: trigger_id$/, reason: 'only in one of three samples; a closed view cannot open another' },
  {
    paths:
      /(message|event|previous_message)\.(attachments|blocks|client_msg_id|edited|metadata|parent_user_id|thread_ts|reply_count|reply_users\w*|latest_reply|subscribed|app_id|bot_id|bot_profile|files|upload|display_as_bot|x_files|bot_profile\.user_id)$/,
    reason: 'only for other messages: of people, of bots, in threads, with files, edited',
  },
  {
    paths:
      /(message|event|previous_message)\.(bot_link|channel|comment|file|hidden|icons|inviter|is_intro|is_locked|is_starred|is_thread_broadcast|item|item_type|last_read|no_notifications|pinned_to|purpose|reactions|room|root|source_team|subtype|topic|user_profile|user_team|username|wibblr)$/,
    reason: 'only for kinds of messages that are not simulated, or for the state of one person\u2019s client',
  },
  {
    paths:
      /^(users\.\w+): .*(has_2fa|two_factor_type|is_connector_bot|is_invited_user|is_stranger|is_workflow_bot|locale|fields|always_active|api_app_id|bot_id|guest_invited_by|huddle\w*|image_1024|image_original|is_custom_image|pronouns|start_date|status_emoji\w*(\[\]\.\w+)?|offset)$/,
    reason: 'optional profile fields, and fields of some users only',
  },
  {
    paths:
      /: channels?(\[\])?\.(conversation_host_id|internal_team_ids|connected_\w+|is_moved|is_open|is_user_deleted|priority|properties|user|is_non_threadable|is_read_only|is_thread_only|locale|is_starred|parent_conversation|last_read|num_members)$/,
    reason: 'only for shared channels or direct conversations, on request, or for settings that are not simulated',
  },
  {
    paths: /^oauth\.v2\.access: (authed_user\.\w+|expires_in|refresh_token|incoming_webhook)$/,
    reason: 'no user tokens, no rotation, no webhooks',
  },
  { paths: /^auth\.test: (app_id|app_name|expires_in)$/, reason: 'only for other kinds of tokens' },
];

/** Keys that the server sends but are not in the samples. */
export const added: Difference[] = [
  { paths: /: response_metadata(\.scopes|\.acceptedScopes)?$/, reason: 'added by the SDK from headers' },
  { paths: /: context_(team|enterprise)_id$/, reason: 'newer than these samples; other samples in the folder have it' },
  {
    paths:
      /^(event\.message\.(message_changed|message_deleted|file_share)): event\.(message\.|previous_message\.)?(app_id|bot_id|bot_profile|attachments|metadata|parent_user_id|thread_ts)$/,
    reason: 'the sample is a person\u2019s message, this one is the bot\u2019s; event.message has these keys',
  },
];
