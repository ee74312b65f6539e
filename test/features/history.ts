import { apiKey, user } from '../helpers/exchange.ts';
import { anna, bo, type FeaturesOptions, setUpFeatures } from '../helpers/features.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

export async function setUpThreeTransfers(postgres: TestPostgres, options: FeaturesOptions = {}) {
  const setup = await setUpFeatures(postgres, options);
  const { sourceFiles, send, startWorker, services, server } = setup;
  await startWorker();
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  sourceFiles.put('F2', 'map.png', 'the map');
  await send(anna, { files: ['F1'], recipients: ['carl@example.org'], message: 'Hi Carl' });
  await send(bo, { files: ['F2'], recipients: ['dora@example.net'], message: 'Hi Dora' });
  // This transfer isn't sent by Dropline, like one of another client or from before Dropline was connected.
  const exchange = services.connectTo({ baseUrl: server.url, username: user, apiKey });
  await exchange.setReceivers((await exchange.readContacts()).local.slice(2));
  await exchange.listFiles();
  await exchange.upload({
    name: 'old.txt',
    size: 1,
    open: () => sourceFiles.open('', sourceFiles.put('F3', 'old.txt', 'x')),
  });
  await exchange.createDispatch({ expiresAfter: 1, message: 'by hand' });
  return setup;
}
