import { transfersIn } from '../../src/features/transfers/repository.ts';
import { confirmSend, prepareSend, type SendDraft } from '../../src/features/transfers/send/operations.ts';
import type { Transfer } from '../../src/features/transfers/transfer.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import type { AppSetup } from './app.ts';
import { until } from './features.ts';

/** Sends a file from Slack. Resolves when the transfer has ended and its sender has been notified. */
export async function sendFile(
  { acme, services }: AppSetup,
  person: Person,
  name: string,
  draft: Partial<SendDraft> = {},
): Promise<Transfer> {
  await person.shares([{ name, data: `the content of ${name}` }], { in: 'Dropline' });
  const file = acme.files.find((one) => one.name === name);
  const actor = { workspace: acme.id, person: person.id };
  const { reviewId } = await prepareSend(services, actor, {
    recipients: ['carl@example.org'],
    groups: [],
    files: [file?.id ?? ''],
    message: 'Hello',
    expiresAfter: 7,
    ...draft,
  });
  await confirmSend(services, actor, reviewId);
  return until(async () => {
    const transfer = await transfersIn(services.store).read(reviewId);
    return transfer?.notifiedAt === undefined ? undefined : transfer;
  }, `${name} to be sent`);
}
