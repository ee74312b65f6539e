import { expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { app as appConfig, clientFor, manifest, plain, section, setUpWorkspace } from './helper.ts';

const home = (text: string) => ({
  type: 'home' as const,
  blocks: [
    section(text),
    { type: 'actions' as const, elements: [{ type: 'button' as const, action_id: 'again', text: plain('Again') }] },
  ],
});

test('app_home_opened includes the view for the Home tab, not for the Messages tab', async () => {
  const setup = await setUpWorkspace();
  await startBot(setup, (app) => app.event('app_home_opened', async () => {}));
  const client = clientFor(setup.slack, setup.token);
  const { view } = await client.views.publish({ user_id: setup.anna.id, view: home('Hello') });
  const shown = expect.objectContaining({ type: 'home', hash: view?.hash });
  await setup.anna.opens('Home of Dropline');
  await setup.anna.opens('Dropline');
  await setup.slack.untilIdle();
  expect(setup.slack.deliveries.map(({ payload }) => payload.event)).toEqual([
    expect.objectContaining({ tab: 'home', user: setup.anna.id, view: shown }),
    expect.not.objectContaining({ view: expect.anything() }),
  ]);
});

test.each([
  ['for an unknown user', 'U000', 'invalid_arguments'],
  ['with an old hash', undefined, 'hash_conflict'],
])('publishing a Home tab %s is refused', async (_, userId, error) => {
  const setup = await setUpWorkspace();
  const client = clientFor(setup.slack, setup.token);
  const user = userId ?? setup.anna.id;
  const publish = () => client.views.publish({ user_id: user, hash: 'old', view: home('Two') });
  await expect(publish()).rejects.toMatchObject({ data: { error } });
  if (userId === undefined) await client.views.publish({ user_id: user, view: home('One') });
  await expect(publish()).rejects.toMatchObject({ data: { error } });
});

test('people cannot write to an app with a read-only messages tab', async () => {
  const features = {
    ...manifest.features,
    app_home: { messages_tab_enabled: true, messages_tab_read_only_enabled: true },
  };
  const setup = await setUpWorkspace({ app: { ...appConfig, manifest: { ...manifest, features } } });
  await clientFor(setup.slack, setup.token).chat.postMessage({ channel: setup.anna.id, text: 'Hello' });
  await setup.anna.opens('Dropline');
  await setup.anna.sees('Hello');
  await expect(setup.anna.types('Hello')).rejects.toThrow('there is no box to type into');
});

test('an app without a Home tab cannot publish one, and people cannot open it', async () => {
  const features = { ...manifest.features, app_home: { home_tab_enabled: false } };
  const setup = await setUpWorkspace({
    app: { ...appConfig, manifest: { ...manifest, features } },
    behaviour: { timeoutMs: 20 },
  });
  const call = clientFor(setup.slack, setup.token).views.publish({ user_id: setup.anna.id, view: home('x') });
  await expect(call).rejects.toMatchObject({ data: { error: 'not_enabled' } });
  await expect(setup.anna.opens('Home of Dropline')).rejects.toThrow('no home tab');
});
