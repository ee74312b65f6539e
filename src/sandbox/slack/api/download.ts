import type { IncomingHttpHeaders } from 'node:http';
import { type Answer, textAnswer } from '../http.ts';
import { fileVisibleToApp } from '../state/files.ts';
import type { FileRecord, Team } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { bearerToken } from './process.ts';

/** A file by its private URL. A client without access is redirected to the sign-in page, as a browser would be. */
export function downloadAnswer(world: World, path: string, headers: IncomingHttpHeaders): Answer {
  const [, teamId = '', fileId = ''] = /^\/files-pri\/(\w+)-(\w+)\//.exec(path) ?? [];
  const team = world.teams.get(teamId);
  const file = team && accessibleFile(team, bearerToken(headers), fileId);
  if (!file) {
    const location = `${world.origin}/?redir=${encodeURIComponent(path)}`;
    return textAnswer(302, '', { location, 'x-slack-meta': '?;acl_fail' });
  }
  if (file.mode === 'external' || file.deleted) return textAnswer(404, 'not found');
  return {
    status: 200,
    headers: {
      'content-type': file.mimetype,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'cache-control': 'private, max-age=1',
    },
    body: { size: file.size, open: () => file.data.open() },
  };
}

function accessibleFile(team: Team, token: string | undefined, fileId: string): FileRecord | undefined {
  const { installation } = team;
  if (!installation || installation.token !== token || !installation.scopes.includes('files:read')) return undefined;
  const file = fileVisibleToApp(team, fileId);
  return file?.refusal === undefined ? file : undefined;
}
