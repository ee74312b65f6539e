import { expect, test } from 'vitest';
import { type SecretName, secrets, shapeProblem } from '../../src/setup/secrets.ts';
import { appSecrets } from '../helpers/slack-app.ts';

const right: Record<SecretName, string> = {
  SLACK_BOT_TOKEN: 'xoxb-1-2-abc',
  SLACK_APP_TOKEN: appSecrets.appToken,
  SLACK_SIGNING_SECRET: appSecrets.signingSecret,
  SLACK_CLIENT_ID: appSecrets.clientId,
  SLACK_CLIENT_SECRET: appSecrets.clientSecret,
};
const names = Object.keys(secrets) as SecretName[];

test('each kind of secret is accepted, with or without spaces around it', () => {
  for (const name of names) expect(shapeProblem(name, ` ${right[name]}\n`), name).toBeUndefined();
});

test('a secret entered in the wrong field is recognised', () => {
  expect(shapeProblem('SLACK_BOT_TOKEN', right.SLACK_CLIENT_SECRET)).toContain(
    'looks like a client secret or signing secret',
  );
  expect(shapeProblem('SLACK_BOT_TOKEN', right.SLACK_APP_TOKEN)).toContain('looks like an app-level token');
  expect(shapeProblem('SLACK_BOT_TOKEN', 'xoxp-1')).toContain('looks like a user token');
  expect(shapeProblem('SLACK_APP_TOKEN', right.SLACK_BOT_TOKEN)).toContain('looks like a bot token');
  expect(shapeProblem('SLACK_SIGNING_SECRET', right.SLACK_CLIENT_ID)).toContain('looks like a client ID');
  expect(shapeProblem('SLACK_CLIENT_ID', 'A0123456789')).toContain('looks like an app ID');
});

test('every other secret is refused and never repeated in the error', () => {
  // Only Slack can tell the client secret from the signing secret.
  const isSecret = (name: string) => /SECRET$/.test(name);
  for (const name of names) {
    const others = names
      .filter((other) => other !== name && !(isSecret(name) && isSecret(other)))
      .map((other) => right[other]);
    for (const text of [...others, `${right[name]} x`, 'hunter2', '']) {
      const problem = shapeProblem(name, text);
      expect(problem, `${name} ${text}`).toMatch(/\.$/);
      if (text !== '') expect(problem).not.toContain(text);
    }
  }
});
