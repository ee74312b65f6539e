import { uploadFile } from '../client/post.ts';
import { canRead } from '../client/surface.ts';
import { type Answer, textAnswer } from '../http.ts';
import type { Actor } from './actions.ts';

/** Stores a file from a person's computer. Only they can see it until they share it or submit it with a form. */
export async function receiveFile(
  { world, team, user }: Actor,
  name: string,
  data: AsyncIterable<Uint8Array>,
): Promise<{ id: string; name: string; size: number }> {
  if (name === '') throw new Error('the file has no name');
  const { size, open } = await world.files.receive(data);
  const file = uploadFile(world, team, user, { name, size, open });
  return { id: file.id, name, size };
}

/** Serves a file for download, if this person can see it. */
export function fileAnswer({ team, user }: Actor, id: string): Answer {
  const file = team.files.get(id);
  const isShown = [...team.channels.values()].some((channel) =>
    channel.messages.some((message) => message.fileIds.includes(id) && canRead(channel, message, user)),
  );
  if (!file || file.deleted || !(isShown || file.userId === user.id)) return textAnswer(404, 'not found');
  return {
    status: 200,
    headers: {
      // Not the file's own type: the browser must not render the file on this page's origin.
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'x-content-type-options': 'nosniff',
    },
    body: { size: file.size, open: () => file.data.open() },
  };
}
