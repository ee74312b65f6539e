import { createHash } from 'node:crypto';
import type { Deployment, Team } from '../deployment/deployment.ts';
import { until } from '../deployment/until.ts';

/** One prepared transfer of a file between Slack and the service, driven by clicks in Slack. */
export interface FileTransfer {
  /** Makes the click that starts it. Resolves when the result is visible. */
  run(): Promise<void>;
  /** Fails unless exactly the same bytes have arrived. */
  check(): Promise<void>;
}

export interface FileTransfers {
  /** Bo shares a file of this size and opens the review. */
  send(size: number): Promise<FileTransfer>;
  /** The file that was sent last arrives in the inbox and is announced. */
  download(): Promise<FileTransfer>;
  /** The URL of the last shared file. */
  lastSharedUrl(): string;
}

const block = Buffer.alloc(64 * 1024, 'x');

async function* bytes(size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0; left -= block.length) yield left < block.length ? block.subarray(0, left) : block;
}

async function digestOf(data: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of data) hash.update(chunk);
  return hash.digest('hex');
}

function expectSame(one: string | undefined, other: string): void {
  if (one !== other) throw new Error('the bytes that arrived differ from those sent');
}

export function createTransfers({ callService, slack }: Deployment, { workspace, bo, user }: Team): FileTransfers {
  let count = 0;
  let last = { name: '', digest: '' };

  return {
    async send(size) {
      count += 1;
      const name = `file-${count}.bin`;
      last = { name, digest: await digestOf(bytes(size)) };
      await bo.opens('Dropline');
      await bo.shares([{ name, size, open: () => bytes(size) }], { in: 'Dropline' });
      await bo.sees(`Ready to send: ${name}.`);
      await bo.types('/drop send');
      await bo.picks('To', 'receiver-1@');
      await bo.submits('Review');
      await bo.sees("can't be recalled");
      const sent = count;
      return {
        async run() {
          await bo.submits('Send 1 file to 1 person');
          await bo.sees("I'll update you in our direct messages.");
          await bo.closes();
          await until(() => bo.screen().split('✅ Sent').length > sent, `${name} to be sent`);
        },
        check: async () => expectSame((await callService('lastSentFile', user))?.sha256, last.digest),
      };
    },
    async download() {
      const { name, digest } = last;
      await callService('returnLastTransfer', { from: user, to: user, sender: `sender-${count}@example.org` });
      await bo.opens('#inbox');
      await bo.sees(`1 file from sender-${count}@example.org`);
      const downloaded = () => workspace.files.filter((file) => file.name === name && file.userId !== bo.id);
      return {
        async run() {
          await bo.clicks(`Download ${name}`);
          await until(() => downloaded().length > 0, `${name} to be downloaded`);
          await slack.untilIdle();
        },
        check: async () => expectSame(await digestOf(downloaded()[0]?.data.open() ?? bytes(0)), digest),
      };
    },
    lastSharedUrl() {
      const file = workspace.files.find(({ name }) => name === last.name);
      return `${slack.url}/files-pri/${workspace.id}-${file?.id}/download/${last.name}`;
    },
  };
}
