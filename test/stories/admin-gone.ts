import { type AppSetup, type AppSetupOptions, setUpApp } from '../helpers/app.ts';
import type { TestPostgres } from '../helpers/postgres.ts';
import { confirms, reviews, stages } from '../helpers/send-steps.ts';

/** Olga connected the workspace and has left it. Anna installed the app, or Olga if `installer` is 'Olga'. */
export async function setUpDepartedAdmin(
  postgres: TestPostgres,
  options: AppSetupOptions & { installer?: 'Anna' | 'Olga' } = {},
): Promise<AppSetup> {
  const app = await setUpApp(postgres, options);
  const { acme, services } = app;
  const { credentials } = services.store;
  const { installations } = services.slack;
  const olga = acme.addPerson({ name: 'Olga', role: 'owner', deactivated: true });
  const connection = await credentials.get({ workspace: acme.id });
  if (connection !== undefined) await credentials.set(acme.id, { ...connection, connectedBy: olga.id });
  if (options.installer === 'Olga') {
    const installed = await installations.fetchInstallation({
      teamId: acme.id,
      enterpriseId: undefined,
      isEnterpriseInstall: false,
    });
    await installations.add({ ...installed, user: { ...installed.user, id: olga.id } });
  }
  return app;
}

/**
 * Bo sends a file whose outcome stays unknown: the answer is lost, the uploads are gone, and with the exchange's
 * `historyLag`, the history doesn't list the transfer.
 */
export async function sendWithUnknownOutcome({ bo, exchange }: AppSetup): Promise<void> {
  exchange.addFault({ operation: 'createdrop', kind: 'reset-after' });
  await stages(bo, [{ name: 'plan.pdf', data: 'the plan' }]);
  await reviews(bo);
  await confirms(bo, 1);
}
