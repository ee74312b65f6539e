import type { Routes } from '../../slack/routes.ts';
import { loadingView } from '../../slack/views.ts';
import { openWhenReady, type Visit } from '../../slack/visit.ts';
import { count } from '../../slack/words.ts';
import { clearAccountReceivers, removeUploaded } from '../files/operations.ts';
import type { UiServices } from '../ui-services.ts';
import { readStatus, releaseHold, resumePolling } from './operations.ts';
import { statusView } from './views.ts';

export function statusRoutes(services: UiServices): Routes {
  const show = async ({ actor }: Visit, said?: string) => statusView(await readStatus(services, actor), said);

  /** Does something that may take its time; whoever closes the modal meanwhile is told in a message. */
  const act = async (visit: Visit, work: () => Promise<string>) => {
    await visit.open(loadingView('Status'));
    const said = await work();
    if (!(await visit.open(await show(visit, said)))) await visit.write(said);
  };

  return {
    commands: {
      status: {
        summary: 'shows the account, how the service is, and who is sending',
        run: (visit) => openWhenReady(visit, 'Status', () => show(visit)),
      },
    },
    actions: {
      'status.resume': (visit) =>
        act(visit, async () => {
          await resumePolling(services, visit.actor);
          return 'The service accepts the key. Incoming files are looked for again.';
        }),
      'status.release': (visit, { value }) =>
        act(visit, async () => {
          await releaseHold(services, visit.actor, value);
          return 'Released: people can send again.';
        }),
      'status.clear-files': (visit) =>
        act(visit, async () => {
          const removed = await removeUploaded(services, visit.actor);
          return removed.length === 0 ? 'There was nothing to remove.' : `Removed ${count(removed.length, 'file')}.`;
        }),
      'status.clear-receivers': (visit) =>
        act(visit, async () => {
          await clearAccountReceivers(services, visit.actor);
          return 'Nobody is set as a receiver any more.';
        }),
    },
  };
}
