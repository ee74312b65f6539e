import type { Answer } from '../../http/answer.ts';
import { attachment } from '../../state/names.ts';
import { Refusal } from '../../state/refusal.ts';
import { isLive } from '../../state/world.ts';
import { commonHeaders } from '../replies.ts';
import type { ApiRequest } from '../request.ts';

export function download({ world, account, path: [url, , name] }: ApiRequest): Answer {
  const item = account.inbox.find((item) => item.url === url && isLive(world, item));
  const file = item?.files.find((file) => file.name === name);
  if (!file || !world.files.has(file.sha256)) throw new Refusal(404, 'there is no such file, or no longer');
  return {
    status: 200,
    // The uploader's type, which can be application/json: clients can't detect errors by type.
    headers: { ...commonHeaders, 'Content-Type': file.type, 'Content-Disposition': attachment(file.name) },
    body: { bytes: file.bytes, open: () => world.files.open(file.sha256) },
    framing: world.behaviour.downloadFraming,
  };
}
