import { failed, type Result } from '../check/result.ts';
import { checkAppToken, checkBotToken, checkClientSecret } from '../check/slack.ts';
import { type Mode, type SecretName, secretsOf } from './secrets.ts';

export type Values = Record<string, string>;

/** The result of checking a secret. */
export interface CheckedSecret {
  name: SecretName;
  /** What was checked, if not the secret itself. */
  label?: string;
  result: Result;
}

/** Asks Slack about the secrets of a mode. Only a request from Slack shows whether the signing secret is right. */
export async function checkSecrets(mode: Mode, values: Values): Promise<CheckedSecret[]> {
  const names = secretsOf[mode];
  const { SLACK_BOT_TOKEN = '', SLACK_APP_TOKEN = '', SLACK_SIGNING_SECRET } = values;
  const { SLACK_CLIENT_ID: clientId = '', SLACK_CLIENT_SECRET: clientSecret = '' } = values;
  const apiUrl = values.SLACK_API_URL?.replace(/\/*$/, '/');
  const checked: CheckedSecret[] = [];
  if (names.includes('SLACK_BOT_TOKEN')) {
    const { token, scopes } = await checkBotToken(SLACK_BOT_TOKEN, apiUrl);
    checked.push({ name: 'SLACK_BOT_TOKEN', result: token });
    if (scopes !== undefined) checked.push({ name: 'SLACK_BOT_TOKEN', label: 'Scopes', result: scopes });
  }
  if (names.includes('SLACK_APP_TOKEN'))
    checked.push({ name: 'SLACK_APP_TOKEN', result: await checkAppToken(SLACK_APP_TOKEN, apiUrl) });
  if (names.includes('SLACK_CLIENT_SECRET')) {
    const result = await checkClientSecret({ clientId, clientSecret }, apiUrl);
    const isId = result.message.includes('invalid_client_id');
    checked.push({ name: isId ? 'SLACK_CLIENT_ID' : 'SLACK_CLIENT_SECRET', result });
    if (clientSecret === SLACK_SIGNING_SECRET) {
      const fix = 'Copy both again: the signing secret and the client secret differ.';
      checked.push({ name: 'SLACK_SIGNING_SECRET', result: failed('It is the same as the client secret', fix) });
    }
  }
  return checked;
}
