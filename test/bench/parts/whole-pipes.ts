import { findToken } from '../../../src/exchange/token-page.ts';
import { timeShell } from '../processes.ts';
import { apiKey, type Stage, type Team } from '../stage/stage.ts';

/** The same bytes between the same ends through one curl that reads and one that writes, in milliseconds. */
export interface Pipes {
  /** A Slack file, by its address, to the service. */
  up(address: string): Promise<number>;
  /** The file that the team's account sent last, from the service to Slack. */
  down(size: number): Promise<number>;
}

const user = 'pipe@example.com';

/** Uses a separate account, so that the bot finds no unexpected files on its own. */
export async function createPipes({ ask, serviceUrl, slack }: Stage, team: Team): Promise<Pipes> {
  await ask('addAccount', { user, apiKey, contacts: 0 });
  const account = `${serviceUrl}/${user}`;
  const bearer = `Authorization: Bearer ${team.workspace.installation?.botToken}`;

  /**
   * The credentials of a request: a fresh token each time, after the list of files is initialised, as the service
   * requires.
   */
  async function access(): Promise<string> {
    const authorization = `Basic ${Buffer.from(`${user}:${apiKey}`).toString('base64')}`;
    const page = await fetch(`${account}/`, { headers: { authorization } });
    const found = findToken(await page.text()) ?? '';
    await (await fetch(`${account}/cgi/get_files.cgi`, { headers: { authorization, 'csrf-token': found } })).text();
    return `-u ${user}:${apiKey} -H 'CSRF-Token: ${found}'`;
  }

  return {
    async up(address) {
      const form = "-F do=upload -F 'file=@/dev/stdin;filename=x.bin'";
      const into = `curl -sS --fail ${form} ${await access()} ${account}/cgi/upload.cgi`;
      const { ms } = await timeShell(`curl -sS --fail -H '${bearer}' ${address} | ${into} >/dev/null`);
      if ((await ask('uploaded', user)).length !== 1) throw new Error('the pipe has brought nothing to the service');
      await ask('forgetUploads', user);
      return ms;
    },
    async down(size) {
      const { url } = await ask('comesBack', { from: team.user, to: user, sender: 'pipe@example.org' });
      const name = (await ask('lastSent', team.user))?.name;
      const body = new URLSearchParams({ filename: 'x.bin', length: String(size) });
      const asked = await fetch(`${slack.apiUrl}files.getUploadURLExternal`, {
        method: 'POST',
        headers: { authorization: bearer.replace('Authorization: ', '') },
        body,
      });
      const { upload_url: into } = (await asked.json()) as { upload_url: string };
      const from = `curl -sS --fail ${await access()} ${account}/${url}/files/${name}`;
      const { ms } = await timeShell(`${from} | curl -sS --fail -X POST -T - ${into} >/dev/null`);
      return ms;
    },
  };
}
