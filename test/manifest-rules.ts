import { z } from 'zod';

const text = (max: number) => z.string().min(1).max(max);
const url = (max: number) => z.url({ protocol: /^https$/ }).max(max);
const flag = z.boolean();

const uniqueList = (item: z.ZodString, max: number) =>
  z
    .array(item.max(50))
    .max(max)
    .refine((items) => new Set(items).size === items.length, 'has duplicates');

/** Such as `commands`, `chat:write` or `users:read.email`. */
const scopes = uniqueList(z.string().regex(/^[a-z]+(:[a-z]+(\.[a-z]+)?)?$/), 255);

/** Slack's rules for a manifest, for the fields that ours has. Fields that the one for Socket Mode lacks are optional. */
const fields = z.strictObject({
  _metadata: z.strictObject({ major_version: z.literal(2), minor_version: z.int() }),
  display_information: z.strictObject({
    name: text(35),
    description: text(140),
    long_description: z.string().min(175).max(4000),
    background_color: z.string().regex(/^#([0-9a-f]{3}){1,2}$/i),
  }),
  features: z.strictObject({
    app_home: z.strictObject({
      home_tab_enabled: flag,
      messages_tab_enabled: flag,
      messages_tab_read_only_enabled: flag,
    }),
    bot_user: z.strictObject({ display_name: text(80).regex(/^[a-z0-9._-]+$/), always_online: flag }),
    shortcuts: z
      .array(
        z.strictObject({
          name: text(24),
          type: z.enum(['message', 'global']),
          callback_id: text(255),
          description: text(150),
        }),
      )
      .min(1)
      .max(10),
    slash_commands: z
      .array(
        z.strictObject({
          command: z.string().regex(/^\/\S{1,31}$/),
          url: url(3000).optional(),
          description: text(2000),
          usage_hint: text(1000),
          should_escape: flag,
        }),
      )
      .min(1)
      .max(50),
  }),
  oauth_config: z.strictObject({
    redirect_urls: z.array(url(2500)).max(1000).optional(),
    scopes: z.strictObject({ user: scopes.optional(), bot: scopes, bot_optional: scopes }),
  }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({
      request_url: url(3500).optional(),
      bot_events: uniqueList(z.string().regex(/^[a-z_]+(\.[a-z]+)?$/), 100),
    }),
    interactivity: z.strictObject({
      is_enabled: flag,
      request_url: url(3500).optional(),
      message_menu_options_url: url(3500).optional(),
    }),
    org_deploy_enabled: flag,
    socket_mode_enabled: flag,
    token_rotation_enabled: flag,
  }),
});

export const manifestRules = fields.refine(({ features, settings }) => {
  const { event_subscriptions: events, interactivity, socket_mode_enabled: usesSocket } = settings;
  const urls = [
    ...features.slash_commands.map((command) => command.url),
    events.request_url,
    interactivity.request_url,
  ];
  return usesSocket || !urls.includes(undefined);
}, 'only Socket Mode works without URLs');
