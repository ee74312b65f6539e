import { expect, test } from 'vitest';
import { type SecretName, secrets, shapeProblem } from '../../src/setup/secrets.ts';
import { appSecrets } from '../helpers/slack-app.ts';

const valid: Record<SecretName, string> = {
  SLACK_BOT_TOKEN: 'xoxb-1-2-abc',
  SLACK_APP_TOKEN: appSecrets.appToken,
  SLACK_SIGNING_SECRET: appSecrets.signingSecret,
  SLACK_CLIENT_ID: appSecrets.clientId,
  SLACK_CLIENT_SECRET: appSecrets.clientSecret,
};
const names = Object.keys(secrets) as SecretName[];

test('each kind of secret is accepted, even with spaces around it', () => {
  for (const name of names) expect(shapeProblem(name, ` ${valid[name]}\n`), name).toBeUndefined();
});

test('a secret entered in the wrong field is recognised', () => {
  expect(shapeProblem('SLACK_BOT_TOKEN', valid.SLACK_CLIENT_SECRET)).toContain(
    'looks like a client secret or signing secret',
  );
  expect(shapeProblem('SLACK_BOT_TOKEN', valid.SLACK_APP_TOKEN)).toContain('looks like an app-level token');
  expect(shapeProblem('SLACK_BOT_TOKEN', 'xoxp-1')).toContain('looks like a user token');
  expect(shapeProblem('SLACK_APP_TOKEN', valid.SLACK_BOT_TOKEN)).toContain('looks like a bot token');
  expect(shapeProblem('SLACK_SIGNING_SECRET', valid.SLACK_CLIENT_ID)).toContain('looks like a client ID');
  expect(shapeProblem('SLACK_CLIENT_ID', 'A0123456789')).toContain('looks like an app ID');
});

test('a value that is not the expected secret is refused and not shown in the error', () => {
  // Only Slack can tell the client secret from the signing secret.
  const isSecret = (name: string) => /SECRET$/.test(name);
  for (const name of names) {
    const others = names
      .filter((other) => other !== name && !(isSecret(name) && isSecret(other)))
      .map((other) => valid[other]);
    for (const text of [...others, `${valid[name]} x`, 'hunter2', '']) {
      const problem = shapeProblem(name, text);
      expect(problem, `${name} ${text}`).toMatch(/\.$/);
      if (text !== '') expect(problem).not.toContain(text);
    }
  }
});
