import { ledgerOf, type Transfer } from '../../src/features/outgoing/ledger.ts';
import { confirmDispatch, type DispatchWish, prepareDispatch } from '../../src/features/send/operations.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import type { AppSetup } from './app.ts';
import { until } from './features.ts';

/** Sends a file from Slack. Resolves when the transfer has ended. */
export async function hasSent(
  { acme, services }: AppSetup,
  person: Person,
  name: string,
  draft: Partial<DispatchWish> = {},
): Promise<Transfer> {
  await person.shares([{ name, data: `the content of ${name}` }], { in: 'Dropline' });
  const file = acme.files.find((one) => one.name === name);
  const actor = { workspace: acme.id, person: person.id };
  const { confirmation } = await prepareDispatch(services, actor, {
    receivers: ['carl@example.org'],
    groups: [],
    files: [file?.id ?? ''],
    message: 'Hello',
    timeToLive: 7,
    ...draft,
  });
  await confirmDispatch(services, actor, confirmation);
  return until(async () => {
    const transfer = await ledgerOf(services.store).read(confirmation);
    return transfer?.toldAt === undefined ? undefined : transfer;
  }, `${name} to be sent`);
}
