import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { isChanging, nameOf, problemsOf } from './expected.ts';
import { type Upgraded, upgrade, versions } from './upgraded.ts';

const postgres = startTestPostgres();

describe.each(versions)('messages and modals opened in %s', (version) => {
  let upgraded: Upgraded;
  beforeAll(async () => {
    upgraded = await upgrade(postgres, version);
    await upgraded.finish();
  });
  afterAll(() => upgraded.close());

  test('every read-only button and form of an older version still shows its data', async () => {
    const problems: string[] = [];
    for (const action of upgraded.recording.slack.acts.filter((one) => !isChanging(one)))
      problems.push(...problemsOf(nameOf(action), await upgraded.replay(action.kind, action.key)));
    expect(problems).toEqual([]);
  });

  test('every command of an older version and every current shortcut is answered', async () => {
    const { recording, bot } = upgraded;
    const driver = upgraded.driver('Acme');
    const bo = upgraded.driver('Acme', 'Bo');
    bo.closesAll();
    await bo.person.shares([{ name: 'shortcut.txt', data: 'x' }], { in: '#general' });
    await bot.untilInteractionsDone();
    const { ts = '' } = upgraded.workspace('Acme').channel('general').messages.at(-1) ?? {};
    const lines = bot.logged().length;
    for (const name of recording.slack.commands) {
      const calls = upgraded.slack.calls.length;
      await driver.types(`/drop ${name}`);
      await bot.untilInteractionsDone();
      expect(upgraded.slack.calls.length, name).toBeGreaterThan(calls);
    }
    driver.closesAll();
    await driver.perform('open', { destination: '#general' });
    for (const { name, type } of upgraded.shortcuts) {
      await driver.perform('shortcut', type === 'message' ? { name, ts } : { name });
      await bot.untilInteractionsDone();
      expect(JSON.stringify(driver.view()), name).toContain('"input"');
      driver.closesAll();
    }
    expect(
      bot
        .logged()
        .slice(lines)
        .filter(({ level, err }) => level === 'error' || err !== undefined),
    ).toEqual([]);
  });

  test('menus of an older version still offer suggestions', async () => {
    for (const [key, field, text, found] of [
      ['send.form', 'receivers', 'person11', 'person11@example.org'],
      ['contacts.join', 'members', 'person12', 'person12@example.org'],
      ['contacts.add', 'knownGroups', 'team 13', 'team 13'],
    ] as const) {
      let offers: unknown;
      const offer = async (driver: ReturnType<Upgraded['driver']>) => {
        const ref = driver.elements().find((one) => one.ref.actionId === field)?.ref;
        offers = await driver.perform('options', { ref, words: text });
        throw new Error('stop before submitting');
      };
      await upgraded.replay('submit', key, offer).catch(() => {});
      expect(JSON.stringify(offers), key).toContain(found);
    }
  });
});
