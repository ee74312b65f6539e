import { signIn } from '../../src/sandbox/sign-in.ts';
import { type AppSetupOptions, setUpApp } from '../helpers/app.ts';
import { user } from '../helpers/exchange.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

/** @param command what Anna types; `/drop connect`, or a command that needs a connection */
export async function setUpKeyPage(
  postgres: TestPostgres,
  options: AppSetupOptions = {},
  command: string = '/drop connect',
) {
  const setup = await setUpApp(postgres, { connected: false, hasPublicUrl: true, ...options });
  const { anna, exchange } = setup;
  await anna.types(command, { in: '#general' });
  await anna.fills('Service URL', exchange.url);
  await anna.fills('Account email', user);
  await anna.picks('Expiry is counted in', 'days');
  await anna.submits('Next');
  const [, code = ''] = /Code: (\d{6})/.exec(anna.screen()) ?? [];
  await anna.clicks('Open page');
  const [page = ''] = anna.opened;
  // In Socket Mode the app has no client id, so there is no sign-in.
  const cookie = options.socketMode === true ? '' : await signIn(page, anna);
  const open = () => fetch(page, { headers: { cookie } });
  const post = (key: string, typedCode = code) =>
    fetch(page, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ key, code: typedCode }),
      redirect: 'error',
    });
  return { ...setup, page, code, open, post };
}
