import type { SlackServer } from './types.ts';

/** The environment with which a bot uses this workspace instead of the real Slack. */
export function slackVariables(
  { apiUrl, authorizeUrl, fileHost }: Pick<SlackServer, 'apiUrl' | 'authorizeUrl' | 'fileHost'>,
  { clientId, clientSecret, signingSecret }: { clientId: string; clientSecret: string; signingSecret: string },
): Record<string, string> {
  return {
    SLACK_API_URL: apiUrl,
    SLACK_AUTHORIZE_URL: authorizeUrl,
    SLACK_FILE_HOSTS: fileHost,
    SLACK_CLIENT_ID: clientId,
    SLACK_CLIENT_SECRET: clientSecret,
    SLACK_SIGNING_SECRET: signingSecret,
  };
}
