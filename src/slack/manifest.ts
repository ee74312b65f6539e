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

export function readManifest(): Manifest {
  return manifest.parse(JSON.parse(readFileSync(new URL('../../manifest/app.json', import.meta.url), 'utf8')));
}

/** The scopes that the bot requests. An installer can decline those that are also listed as optional. */
export function scopesOf({ oauth_config: { scopes } }: Manifest): string[] {
  return [...new Set(scopes.bot)];
}
