import { findToken } from '../../../src/exchange/token-page.ts';
import { apiKey, type Deployment, type Team } from '../deployment/deployment.ts';
import { timeShell } from '../processes.ts';

/** Transfers the same bytes between the same ends with `curl | curl`. Resolves with milliseconds. */
export interface Pipes {
  /** Pipes the Slack file at this URL to the service. */
  up(url: string): Promise<number>;
  /** Pipes a file from the service to Slack: the one that the team's account sent last. */
  down(size: number): Promise<number>;
}

const user = 'pipe@example.com';

/** Uses a separate account, so that the bot finds no unexpected files on its own account. */
export async function createPipes({ callService, serviceUrl, slack }: Deployment, team: Team): Promise<Pipes> {
  await callService('addAccount', { user, apiKey, contacts: 0 });
  const account = `${serviceUrl}/${user}`;
  const bearer = `Authorization: Bearer ${team.workspace.installation?.botToken}`;

  /** curl options with a new token. Calls get_files, as the service requires before uploads. */
  async function curlCredentials(): Promise<string> {
    const authorization = `Basic ${Buffer.from(`${user}:${apiKey}`).toString('base64')}`;
    const page = await fetch(`${account}/`, { headers: { authorization } });
    const token = findToken(await page.text()) ?? '';
    await (await fetch(`${account}/cgi/get_files.cgi`, { headers: { authorization, 'csrf-token': token } })).text();
    return `-u ${user}:${apiKey} -H 'CSRF-Token: ${token}'`;
  }

  return {
    async up(url) {
      const form = "-F do=upload -F 'file=@/dev/stdin;filename=x.bin'";
      const into = `curl -sS --fail ${form} ${await curlCredentials()} ${account}/cgi/upload.cgi`;
      const { ms } = await timeShell(`curl -sS --fail -H '${bearer}' ${url} | ${into} >/dev/null`);
      if ((await callService('uploadSizes', user)).length !== 1) throw new Error('the pipe uploaded no file');
      await callService('clearUploads', user);
      return ms;
    },
    async down(size) {
      const { url } = await callService('returnLastTransfer', {
        from: team.user,
        to: user,
        sender: 'pipe@example.org',
      });
      const name = (await callService('lastSentFile', team.user))?.name;
      const body = new URLSearchParams({ filename: 'x.bin', length: String(size) });
      const response = await fetch(`${slack.apiUrl}files.getUploadURLExternal`, {
        method: 'POST',
        headers: { authorization: bearer.replace('Authorization: ', '') },
        body,
      });
      const { upload_url: into } = (await response.json()) as { upload_url: string };
      const from = `curl -sS --fail ${await curlCredentials()} ${account}/${url}/files/${name}`;
      const { ms } = await timeShell(`${from} | curl -sS --fail -X POST -T - ${into} >/dev/null`);
      return ms;
    },
  };
}
