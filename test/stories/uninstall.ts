import { checkHourOf } from '../../src/features/account/leave/listeners.ts';
import { type AppSetup, setUpApp } from '../helpers/app.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

export const dayMs = 86_400_000;

/** A time at which the workspace is checked: tomorrow (UTC), in an hour that depends on its id. */
export const checkTimeOf = (workspace: string) =>
  Math.ceil(Date.now() / dayMs) * dayMs + checkHourOf(workspace) * 3_600_000;

/** Uninstalls and reinstalls the app; `deliverEvents` then delivers the delayed uninstall events. */
export async function reinstall({ acme, anna, slack, install }: AppSetup) {
  const faults = (['app_uninstalled', 'tokens_revoked'] as const).map((event) =>
    slack.addFault({ delivery: 'event', event, kind: 'delay' }),
  );
  acme.uninstall();
  await Promise.all(faults.map(({ triggered }) => triggered));
  await install(acme, anna);
  return {
    async deliverEvents() {
      for (const fault of faults) fault.release();
      await slack.untilIdle();
    },
  };
}

/** Uninstalls the app while Slack can't deliver the uninstall events. */
export async function setUpMissedUninstall(postgres: TestPostgres) {
  const setup = await setUpApp(postgres);
  const { acme, slack, services } = setup;
  for (const event of ['app_uninstalled', 'tokens_revoked'] as const) {
    slack.addFault({ delivery: 'event', event, kind: 'unreachable', times: 10 });
  }
  acme.uninstall();
  const checkTime = checkTimeOf(acme.id);
  const isInstalled = async () => (await services.store.installations.get(acme.id)) !== undefined;
  return { ...setup, checkTime, isInstalled };
}
