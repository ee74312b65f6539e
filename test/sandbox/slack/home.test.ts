import { expect, test } from 'vitest';
import { startBot } from './bot.ts';
import { app as appConfig, clientFor, manifest, plain, section, startStage } from './helper.ts';

const home = (text: string) => ({
  type: 'home' as const,
  blocks: [
    section(text),
    { type: 'actions' as const, elements: [{ type: 'button' as const, action_id: 'again', text: plain('Again') }] },
  ],
});

test('the bot can publish Home when it is opened, and its buttons work', async () => {
  const stage = await startStage();
  await startBot(stage, (app) => {
    app.event('app_home_opened', async ({ event, client }) => {
      if (event.tab === 'home') await client.views.publish({ user_id: event.user, view: home('Welcome') });
    });
    app.action('again', async ({ ack, body, client }) => {
      await ack();
      const hash = 'view' in body ? body.view?.hash : undefined;
      await client.views.publish({ user_id: body.user.id, view: home('Welcome again'), ...(hash && { hash }) });
    });
  });
  await stage.anna.opens('Home of Dropline');
  await stage.anna.sees('Welcome');
  await stage.anna.clicks('Again');
  await stage.anna.sees('Welcome again');
  await stage.bo.opens('Home of Dropline');
  await stage.bo.sees('Welcome');
  await stage.bo.doesNotSee('again');
});

test('app_home_opened includes the published view for Home, not for Messages', async () => {
  const stage = await startStage();
  await startBot(stage, (app) => app.event('app_home_opened', async () => {}));
  await clientFor(stage.slack, stage.token).views.publish({ user_id: stage.anna.id, view: home('Hello') });
  await stage.anna.opens('Home of Dropline');
  await stage.anna.opens('Dropline');
  await stage.slack.settled();
  expect(stage.slack.deliveries.map(({ payload }) => payload.event)).toEqual([
    expect.objectContaining({ tab: 'home', user: stage.anna.id, view: expect.objectContaining({ type: 'home' }) }),
    expect.not.objectContaining({ view: expect.anything() }),
  ]);
});

test.each([
  ['for an unknown user', 'U000', 'invalid_arguments'],
  ['with an old hash', undefined, 'hash_conflict'],
])('publishing %s is refused', async (_, userId, error) => {
  const stage = await startStage();
  const client = clientFor(stage.slack, stage.token);
  const user = userId ?? stage.anna.id;
  if (userId === undefined) await client.views.publish({ user_id: user, view: home('One') });
  const call = client.views.publish({ user_id: user, hash: 'old', view: home('Two') });
  await expect(call).rejects.toMatchObject({ data: { error } });
});

test('people cannot write to an app with a read-only messages tab', async () => {
  const features = {
    ...manifest.features,
    app_home: { messages_tab_enabled: true, messages_tab_read_only_enabled: true },
  };
  const stage = await startStage({ app: { ...appConfig, manifest: { ...manifest, features } } });
  await clientFor(stage.slack, stage.token).chat.postMessage({ channel: stage.anna.id, text: 'Hello' });
  await stage.anna.opens('Dropline');
  await stage.anna.sees('Hello');
  await expect(stage.anna.types('Hello')).rejects.toThrow('there is no box to type into');
});

test('an app without a Home tab cannot publish one, and people cannot open it', async () => {
  const features = { ...manifest.features, app_home: { home_tab_enabled: false } };
  const stage = await startStage({
    app: { ...appConfig, manifest: { ...manifest, features } },
    behaviour: { timeoutMs: 20 },
  });
  const call = clientFor(stage.slack, stage.token).views.publish({ user_id: stage.anna.id, view: home('x') });
  await expect(call).rejects.toMatchObject({ data: { error: 'not_enabled' } });
  await expect(stage.anna.opens('Home of Dropline')).rejects.toThrow('no home tab');
});
