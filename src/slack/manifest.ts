import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The app's manifest for Slack: the only source of its scopes, commands and events. */
const manifest = z.object({
  features: z.object({
    slash_commands: z.tuple([z.object({ command: z.string() })]),
    shortcuts: z.array(z.object({ callback_id: z.string(), type: z.string(), name: z.string() })),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()), bot_optional: z.array(z.string()) }) }),
  settings: z.object({ event_subscriptions: z.object({ bot_events: z.array(z.string()) }) }),
});

export type Manifest = z.infer<typeof manifest>;

const readText = () => readFileSync(new URL('../../manifest/app.json', import.meta.url), 'utf8');

export function readManifest(): Manifest {
  return manifest.parse(JSON.parse(readText()));
}

/** The URL in `manifest/app.json`, which `manifestFor` replaces with the public one. */
const placeholder = 'https://dropline.example.com';

/**
 * The manifest to create an app with.
 *
 * @param url the public address; undefined for Socket Mode, in which Slack calls no address
 */
export function manifestFor(url: string | undefined): object {
  if (url !== undefined) {
    return JSON.parse(readText(), (name, value) => {
      if (name === 'long_description') return `${value} What Dropline stores, and for how long: ${url}/privacy`;
      return typeof value === 'string' ? value.replace(placeholder, url) : value;
    });
  }
  return JSON.parse(readText(), (name, value) => {
    // Without redirect URLs, Sign in with Slack can't work, so its user scope is removed too.
    if (/(^|_)urls?$/.test(name) || name === 'user') return undefined;
    return name === 'socket_mode_enabled' ? true : value;
  });
}

/** A link to Slack's form for a new app, filled in from this manifest. */
export function createAppLink(filledManifest: object): string {
  return `https://api.slack.com/apps?new_app=1&manifest_json=${encodeURIComponent(JSON.stringify(filledManifest))}`;
}

/** The scopes that the bot requests. An installer can decline those that are also listed as optional. */
export function scopesOf({ oauth_config: { scopes } }: Manifest): string[] {
  return [...new Set(scopes.bot)];
}
