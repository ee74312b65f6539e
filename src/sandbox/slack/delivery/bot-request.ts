import type { DeliveryKind } from '../state/log.ts';
import { atOrigin } from '../state/manifest.ts';
import type { Json } from '../state/model.ts';
import type { World } from '../state/world.ts';

/** A payload for the bot. `kind` and `command` determine its URL and encoding. */
export interface BotRequest {
  kind: DeliveryKind;
  /** For an event: its type. */
  event?: string;
  teamId: string;
  payload: Json;
  /** For a command: its name, because each can have its own URL. */
  command?: string;
}

/** The manifest's URL for this payload, with the bot's actual origin. */
export function urlFor({ app, botOrigin }: World, { kind, command }: BotRequest): string | undefined {
  const { settings, features } = app.manifest;
  const { interactivity } = settings ?? {};
  const urls: Partial<Record<DeliveryKind, string | undefined>> = {
    event: settings?.event_subscriptions?.request_url,
    block_suggestion: interactivity?.message_menu_options_url,
    slash_command: features?.slash_commands?.find((entry) => entry.command === command)?.url,
  };
  const url = kind in urls ? urls[kind] : interactivity?.request_url;
  return url === undefined || botOrigin === undefined ? undefined : atOrigin(url, botOrigin);
}

/** Events are JSON, commands are a form, everything else is JSON inside a form. */
export function encode({ kind, payload }: BotRequest): { type: string; body: string } {
  if (kind === 'event') return { type: 'application/json', body: JSON.stringify(payload) };
  const fields =
    kind === 'slash_command'
      ? Object.entries(payload).map(([name, value]): [string, string] => [name, String(value)])
      : [['payload', JSON.stringify(payload)] as [string, string]];
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(fields).toString() };
}
