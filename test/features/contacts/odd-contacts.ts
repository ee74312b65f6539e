import { connect } from '../../../src/features/account/connect/operations.ts';
import { setUpContacts } from '../../helpers/contacts.ts';
import { apiKey, user } from '../../helpers/exchange.ts';
import { admin } from '../../helpers/features.ts';
import type { TestPostgres } from '../../helpers/postgres.ts';
import { startVerbatimService } from '../../helpers/verbatim-service.ts';

/** A workspace whose service stores each contact exactly as sent. */
export async function setUpVerbatim(postgres: TestPostgres, ...local: string[]) {
  const service = await startVerbatimService(local);
  const setup = await setUpContacts(postgres, { connected: false });
  await connect(setup.services, admin, { baseUrl: service.url, username: user, apiKey });
  await setup.startWorker();
  return { ...setup, service };
}
