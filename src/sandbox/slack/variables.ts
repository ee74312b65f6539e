import type { SlackServer } from './types.ts';

/** Environment variables that point a bot at this simulated Slack. */
export function slackVariables(
  { apiUrl, authorizeUrl }: Pick<SlackServer, 'apiUrl' | 'authorizeUrl'>,
  { clientId, clientSecret, signingSecret }: { clientId: string; clientSecret: string; signingSecret: string },
): Record<string, string> {
  return {
    SLACK_API_URL: apiUrl,
    SLACK_AUTHORIZE_URL: authorizeUrl,
    SLACK_CLIENT_ID: clientId,
    SLACK_CLIENT_SECRET: clientSecret,
    SLACK_SIGNING_SECRET: signingSecret,
  };
}
