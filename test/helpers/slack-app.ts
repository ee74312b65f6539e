import { onTestFinished } from 'vitest';
import { type Manifest, type SlackServer, startSlackServer, type Workspace } from '../../src/sandbox/slack/index.ts';
import { manifestFor } from '../../src/slack/manifest.ts';

/** Secrets of the same shape as Slack's. */
export const appSecrets = {
  clientId: '1234567890.9876543210',
  clientSecret: '0123456789abcdef0123456789abcdef',
  signingSecret: 'fedcba9876543210fedcba9876543210',
  appToken: 'xapp-1-A0DROPLINE00-1234567890-0123456789abcdef',
  configToken: 'xoxe.xoxp-1-Mi0yLTEyMzQ1Njc4OTAtZXhhbXBsZQ',
};

export interface SlackAppSetup {
  slack: SlackServer;
  acme: Workspace;
  botToken: string;
}

/** Starts a simulated Slack. The app is created from our manifest and installed in one workspace. */
export async function startSlackApp(
  url: string | undefined,
  { declined = [], rateLimits = false }: { declined?: string[]; rateLimits?: boolean } = {},
): Promise<SlackAppSetup> {
  const manifest = manifestFor(url) as Manifest;
  const slack = await startSlackServer({ app: { id: 'A0DROPLINE00', ...appSecrets, manifest }, rateLimits });
  onTestFinished(() => slack.close());
  const acme = slack.addWorkspace({ name: 'Acme' });
  const anna = acme.addPerson({ name: 'Anna', role: 'owner' });
  acme.addChannel({ name: 'general', members: [anna] });
  const scopes = (manifest.oauth_config?.scopes?.bot ?? []).filter((scope) => !declined.includes(scope));
  return { slack, acme, botToken: acme.install({ by: anna, scopes }).botToken };
}
