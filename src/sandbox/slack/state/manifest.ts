/** The parts of an app manifest that the simulation uses. */
export interface Manifest {
  display_information: { name: string; description?: string };
  features?: {
    app_home?: { home_tab_enabled?: boolean; messages_tab_enabled?: boolean; messages_tab_read_only_enabled?: boolean };
    bot_user?: { display_name: string };
    shortcuts?: { name: string; type: 'global' | 'message'; callback_id: string; description?: string }[];
    slash_commands?: {
      command: string;
      url?: string;
      description?: string;
      usage_hint?: string;
      should_escape?: boolean;
    }[];
  };
  oauth_config?: {
    redirect_urls?: string[];
    scopes?: { bot?: string[]; bot_optional?: string[]; user?: string[] };
  };
  settings?: {
    event_subscriptions?: { request_url?: string; bot_events?: string[] };
    interactivity?: { is_enabled: boolean; request_url?: string; message_menu_options_url?: string };
    socket_mode_enabled?: boolean;
  };
}

export interface AppConfig {
  id: string;
  clientId: string;
  clientSecret: string;
  signingSecret: string;
  /** `xapp-…`; needed for Socket Mode only. */
  appToken?: string;
  /** `xoxe.xoxp-…`; creates the app from a manifest. */
  configToken?: string;
  manifest: Manifest;
}

/** The simulated events, and the scope that each needs. */
export const scopeOfEvent: Readonly<Record<string, string | undefined>> = {
  app_home_opened: undefined,
  app_uninstalled: undefined,
  tokens_revoked: undefined,
  file_deleted: 'files:read',
  file_shared: 'files:read',
  channel_id_changed: 'groups:read',
  'message.im': 'im:history',
};

/** Throws for what Slack refuses when an app is created from the manifest, and for events that aren't simulated. */
export function checkManifest(manifest: Manifest): void {
  const events = manifest.settings?.event_subscriptions?.bot_events ?? [];
  const unknown = events.filter((name) => !Object.hasOwn(scopeOfEvent, name));
  if (unknown.length > 0) throw new Error(`these events are not simulated: ${unknown.join(', ')}`);
  const unlisted = optionalScopes(manifest).filter((scope) => !scopesOf(manifest).includes(scope));
  if (unlisted.length > 0) throw new Error(`optional scopes must be listed in "bot" too: ${unlisted.join(', ')}`);
}

export function scopesOf(manifest: Manifest): string[] {
  return manifest.oauth_config?.scopes?.bot ?? [];
}

/** Scopes that the installing person can decline. */
export function optionalScopes(manifest: Manifest): string[] {
  return manifest.oauth_config?.scopes?.bot_optional ?? [];
}

export function redirectUrls({ oauth_config }: Manifest, origin: string | undefined): string[] {
  return (oauth_config?.redirect_urls ?? []).flatMap((url) => (origin ? [atOrigin(url, origin)] : []));
}

/** Whether Slack redirects there: to a registered URL, or to a path below one. */
export function canRedirectTo(target: string, allowed: readonly string[]): boolean {
  const { href } = new URL(target, 'invalid:/');
  return allowed.some((url) => href === url || href.startsWith(`${url.replace(/\/$/, '')}/`));
}

/** Replaces the origin of a manifest URL with the one where the bot listens. */
export function atOrigin(url: string, origin: string): string {
  const { pathname, search } = new URL(url);
  return `${new URL(origin).origin}${pathname}${search}`;
}
