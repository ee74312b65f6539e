import { isDroplineError } from '../../errors.ts';
import { handlerOf, type JobHandler, jobKind } from '../../jobs/index.ts';
import { connectionOf } from '../connection.ts';
import type { Services } from '../services.ts';
import { afterYes, differenceOf, expectedOf } from './compare.ts';
import { tellEnd } from './end.ts';
import { keepHold } from './holds.ts';
import { ledgerOf, type OpenTransfer } from './ledger.ts';
import { markOf, othersAmong, readNews } from './shown.ts';

const looking = jobKind('late-look', ['transfer', 'turn'], { attempts: 1, isLong: true });

/** A history may lag: whoever was told "sent" must still learn when it shows something other than what was confirmed. */
export async function lookLater({ queue, timing }: Services, transfer: string, turn = 0): Promise<void> {
  const pause = timing.lateLooksMs[turn];
  if (pause === undefined) return;
  const runAt = new Date(Date.now() + pause);
  await queue.add(looking, { transfer, turn: String(turn) }, { key: `late-look ${transfer}`, runAt });
}

/** Looks for a transfer that the service has accepted and its history did not show. It sends nothing and takes no lock. */
export function lateLookJob(services: Services): JobHandler {
  const ledger = ledgerOf(services.store);
  return handlerOf<{ transfer: string; turn: string }>({
    kind: looking,
    async run({ transfer: id, turn }) {
      const transfer = await ledger.read(id);
      if (transfer?.details === undefined) return; // it has gone, with its workspace or by its age
      if (transfer.endedAt === undefined) return lookLater(services, id, Number(turn));
      const found = transfer.isSeen || (await lookOnce(services, { ...transfer, details: transfer.details }));
      if (found) await tellEnd(services, id);
      else await lookLater(services, id, Number(turn) + 1);
    },
    async giveUp({ transfer, turn }, error) {
      if (!isDroplineError(error, 'not-connected')) await lookLater(services, transfer, Number(turn) + 1);
    },
  });
}

async function lookOnce(services: Services, transfer: OpenTransfer): Promise<boolean> {
  const { store } = services;
  const { exchange } = await connectionOf(services, transfer.workspace);
  if (exchange.account !== transfer.account) return false;
  const fresh = await readNews(services, exchange, transfer);
  // Meanwhile others may have sent just the same.
  const others = await othersAmong(store, transfer, fresh.alike);
  const news = afterYes({ ...fresh, alike: fresh.alike.filter((entry) => !others.has(entry)) }, expectedOf(transfer));
  const mark = markOf(services, news);
  if (mark === undefined) return false;
  const { id, account, workspace, person, kind } = transfer;
  const difference = differenceOf(news);
  await ledgerOf(store).seenLate(id, mark, difference, async (client) => {
    if (difference === undefined) return;
    await keepHold(client, account, id, 'difference');
    const noted = { workspace, person, act: kind, outcome: 'difference', reference: id, details: { difference } };
    await store.audit.note(noted, client);
  });
  return true;
}
