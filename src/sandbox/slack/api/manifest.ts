import { newSecret } from '../state/ids.ts';
import { checkManifest, type Manifest, scopesOf } from '../state/manifest.ts';
import type { Json } from '../state/model.ts';
import { parseJson, requiredText } from './arguments.ts';
import { type AppCall, type Method, tier1 } from './method.ts';
import { SlackRefusal } from './refusal.ts';

export const manifestMethods: Record<string, Method> = {
  'apps.manifest.create': { token: 'config', args: ['manifest'], perMinute: tier1, handler: createApp },
};

/** There is one app here, so a created app takes its place and gets its credentials. */
function createApp({ world, args }: AppCall): Json {
  const manifest = parseJson(requiredText(args, 'manifest')) as Manifest | undefined;
  const errors = problemsOf(manifest);
  if (manifest === undefined || errors.length > 0) throw new SlackRefusal('invalid_manifest', { errors });
  world.app = { ...world.app, manifest };
  const { id, clientId, clientSecret, signingSecret } = world.app;
  const query = new URLSearchParams({ client_id: clientId, scope: scopesOf(manifest).join(',') });
  return {
    app_id: id,
    credentials: {
      client_id: clientId,
      client_secret: clientSecret,
      verification_token: newSecret(),
      signing_secret: signingSecret,
    },
    oauth_authorize_url: `${world.origin}/oauth/v2/authorize?${query}`,
  };
}

function problemsOf(manifest: Manifest | undefined): { message: string; pointer: string }[] {
  const name = manifest?.display_information?.name;
  if (manifest === undefined || typeof name !== 'string' || name === '' || name.length > 35)
    return [{ message: 'The name must have 1 to 35 characters', pointer: '/display_information/name' }];
  const { event_subscriptions: events, interactivity, socket_mode_enabled: isSocket } = manifest.settings ?? {};
  const problems = [];
  if (events !== undefined && !events.request_url && !isSocket)
    problems.push({
      message: 'Event Subscription requires either Request URL or Socket Mode Enabled',
      pointer: '/settings/event_subscriptions',
    });
  if (interactivity?.is_enabled && !interactivity.request_url && !isSocket)
    problems.push({ message: 'Interactivity requires a Request URL', pointer: '/settings/interactivity' });
  try {
    checkManifest(manifest);
  } catch (error) {
    problems.push({ message: String(error), pointer: '/' });
  }
  return problems;
}
