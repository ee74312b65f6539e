import type { Actor } from '../../../src/features/common/services.ts';
import { downloadFile } from '../../../src/features/inbox/download/operations.ts';
import type { DeliveredFile } from '../../../src/features/scanning/operations.ts';
import { changeSettings } from '../../../src/features/settings/operations.ts';
import { bytesOf, user } from '../../helpers/exchange.ts';
import { admin } from '../../helpers/features.ts';
import { type InboxSetup, listInbox, setUpInbox } from '../../helpers/inbox.ts';
import { inboxChannel } from '../../helpers/inbox-channels.ts';
import type { TestPostgres } from '../../helpers/postgres.ts';
import { createRandom } from '../../helpers/seeded.ts';

export const data = createRandom(5).bytes(1_000_000);
export type Sink = (file: DeliveredFile) => Promise<void>;

export const discard: Sink = async ({ stream }) => {
  await bytesOf(stream);
};

/** Who downloaded what, according to the inbox records. */
export async function recordedDownloads({ services }: InboxSetup) {
  const [item] = await listInbox(services, admin);
  return item?.downloads.map(({ person, file }) => `${person} ${file}`).sort();
}

export async function audited({ store }: InboxSetup) {
  const entries = await store.audit.list('T1', { action: 'download' });
  return entries.map(({ person, outcome, details }) => ({ person, outcome, details }));
}

export const operationsOf = ({ server }: InboxSetup) => server.calls.map(({ operation }) => operation);

/** Adds an inbox item with two files and polls it. */
export async function setUpFiles(postgres: TestPostgres, isWorking = false) {
  const setup = await setUpInbox(postgres, { isWorking });
  await changeSettings(setup.services, admin, { inboxChannels: [inboxChannel('C1', { everythingElse: true })] });
  const files = [
    { name: 'plan.bin', data },
    { name: 'other.txt', data: 'other' },
  ];
  const { url } = await setup.server.addInboxItem(user, { sender: 'carl@example.org', files });
  await setup.poll();
  setup.server.calls.splice(0);
  const download = (
    actor: Actor,
    sink = discard,
    { name = 'plan.bin', itemUrl = url, services = setup.services } = {},
  ) => downloadFile(services, actor, { url: itemUrl, name }, sink, new AbortController().signal);
  return { ...setup, url, download };
}
