import { type AppSetup, type AppSetupOptions, setUpApp } from '../helpers/app.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

/** Olga connected the workspace and has left it. Anna installed the app, or Olga if `installer` says so. */
export async function withoutOlga(
  postgres: TestPostgres,
  options: AppSetupOptions & { installer?: 'Anna' | 'Olga' } = {},
): Promise<AppSetup> {
  const app = await setUpApp(postgres, options);
  const { acme, services } = app;
  const { credentials } = services.store;
  const { installations } = services.slack;
  const olga = acme.addPerson({ name: 'Olga', role: 'owner', deactivated: true });
  const connection = await credentials.get(acme.id);
  if (connection !== undefined) await credentials.set(acme.id, { ...connection, connectedBy: olga.id });
  if (options.installer === 'Olga') {
    const installed = await installations.fetchInstallation({
      teamId: acme.id,
      enterpriseId: undefined,
      isEnterpriseInstall: false,
    });
    await installations.storeInstallation({ ...installed, user: { ...installed.user, id: olga.id } });
  }
  return app;
}
