import { publicAddress } from '../config.ts';
import { readOptions, UsageError } from '../lib/usage.ts';
import { manifestFor } from '../slack/manifest.ts';

const usage = `Usage: node dist/main.js manifest [--url <address> | --socket]

Prints the manifest of the Slack app. Use it at api.slack.com/apps ("From a manifest") to create the app.

  --url <address>  Slack calls Dropline at this public address (https://…)
  --socket         Socket Mode: Dropline connects to Slack

Default: --socket if SLACK_APP_TOKEN is set or PUBLIC_URL isn't, otherwise --url with PUBLIC_URL.
`;

export async function printManifest(args: string[], environment: () => NodeJS.ProcessEnv): Promise<void> {
  const options = readOptions(args, usage, { url: { type: 'string' }, socket: { type: 'boolean' } });
  if (options === undefined) return;
  if (options.url !== undefined && options.socket) throw new UsageError(`Choose --url or --socket.\n\n${usage}`);
  const env = environment();
  const isSocket = options.socket ?? (options.url === undefined && Boolean(env.SLACK_APP_TOKEN?.trim()));
  const url = isSocket ? undefined : (options.url ?? (env.PUBLIC_URL?.trim() || undefined));
  process.stdout.write(`${JSON.stringify(manifestFor(url === undefined ? undefined : addressOf(url)), null, 2)}\n`);
}

function addressOf(text: string): string {
  const { success, data, error } = publicAddress.safeParse(text);
  if (success) return data;
  throw new UsageError(error.issues[0]?.message ?? 'The address is not valid.');
}
