/** How Slack reaches Dropline, and for how many workspaces. */
export type Mode = 'socket' | 'https-one' | 'https-many';

export type SecretName =
  | 'SLACK_BOT_TOKEN'
  | 'SLACK_APP_TOKEN'
  | 'SLACK_SIGNING_SECRET'
  | 'SLACK_CLIENT_ID'
  | 'SLACK_CLIENT_SECRET';

interface Secret {
  label: string;
  /** Where it is in the settings of the Slack app. */
  where: string;
  shape: RegExp;
  /** Describes `shape` to people. */
  looksLike: string;
}

const hex = /^[0-9a-f]{32}$/;
const hexText = '32 characters, 0-9 and a-f';

export const approval = 'Slack can ask for the approval of an admin first.';

export const secrets: Record<SecretName, Secret> = {
  SLACK_BOT_TOKEN: {
    label: 'Bot token',
    where: `"OAuth & Permissions": click "Install to Workspace", then copy the Bot User OAuth Token (xoxb-…). ${approval}`,
    shape: /^xoxb-[\w-]+$/,
    looksLike: 'it begins with xoxb-',
  },
  SLACK_APP_TOKEN: {
    label: 'App-level token',
    where: '"Basic Information" > "App-Level Tokens": generate one with the scope connections:write (xapp-…)',
    shape: /^xapp-[\w-]+$/,
    looksLike: 'it begins with xapp-',
  },
  SLACK_SIGNING_SECRET: {
    label: 'Signing secret',
    where: `"Basic Information" > "App Credentials" (${hexText})`,
    shape: hex,
    looksLike: hexText,
  },
  SLACK_CLIENT_ID: {
    label: 'Client ID',
    where: '"Basic Information" > "App Credentials" (two numbers with a dot)',
    shape: /^\d+\.\d+$/,
    looksLike: 'two numbers with a dot',
  },
  SLACK_CLIENT_SECRET: {
    label: 'Client secret',
    where: `"Basic Information" > "App Credentials", below the client ID (${hexText})`,
    shape: hex,
    looksLike: hexText,
  },
};

/** The secrets that a mode needs, in the order in which they are asked for. */
export const secretsOf: Record<Mode, readonly SecretName[]> = {
  socket: ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'],
  'https-one': ['SLACK_SIGNING_SECRET', 'SLACK_BOT_TOKEN'],
  'https-many': ['SLACK_SIGNING_SECRET', 'SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET'],
};

/** Values on Slack's pages that people copy by mistake. */
const kinds: [RegExp, string][] = [
  [/^xoxb-/, 'a bot token'],
  [/^xapp-/, 'an app-level token'],
  [/^xoxp-/, 'a user token'],
  [/^xoxe/, 'a configuration or refresh token'],
  [hex, 'a client secret or signing secret'],
  [/^\d+\.\d+$/, 'a client ID'],
  [/^A[0-9A-Z]{8,12}$/, 'an app ID'],
  [/^[0-9A-Za-z]{24}$/, 'the old verification token'],
  [/^https:\/\/hooks\.slack\.com\//, 'a webhook address'],
];

/** Why the text can't be this secret, and what it looks like instead. Never contains the text. */
export function shapeProblem(name: SecretName, text: string): string | undefined {
  const { label, shape, looksLike } = secrets[name];
  const trimmed = text.trim();
  if (trimmed === '') return `Paste the ${label.toLowerCase()}.`;
  if (shape.test(trimmed)) return undefined;
  const [, kind] = kinds.find(([pattern]) => pattern.test(trimmed)) ?? [];
  const isWrongKind = kind !== undefined && !kind.endsWith(label.toLowerCase());
  return isWrongKind
    ? `This looks like ${kind}. The ${label.toLowerCase()}: ${looksLike}.`
    : `This isn't a whole ${label.toLowerCase()}: ${looksLike}.`;
}
