import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPostgres } from '../helpers/postgres.ts';
import { faultsOf, isChanging, nameOf } from './expected.ts';
import { type Upgraded, upgrade, versions } from './upgraded.ts';

const postgres = startTestPostgres();

describe.each(versions)('what people had open in %s', (version) => {
  let upgraded: Upgraded;
  beforeAll(async () => {
    upgraded = await upgrade(postgres, version);
    await upgraded.finish();
  });
  afterAll(() => upgraded.close());

  test('every button and form that shows something still shows it', async () => {
    const faults: string[] = [];
    for (const act of upgraded.recording.slack.acts.filter((one) => !isChanging(one)))
      faults.push(...faultsOf(nameOf(act), await upgraded.replay(act.kind, act.key)));
    expect(faults).toEqual([]);
  });

  test('every command and shortcut is answered', async () => {
    const { recording, bot } = upgraded;
    const hand = upgraded.hand('Acme');
    const bo = upgraded.hand('Acme', 'Bo');
    bo.closes();
    await bo.person.shares([{ name: 'shortcut.txt', data: 'x' }], { in: '#general' });
    await bot.settled();
    const { ts = '' } = upgraded.workspace('Acme').channel('general').messages.at(-1) ?? {};
    const lines = bot.logged().length;
    for (const name of recording.slack.commands) {
      const calls = upgraded.slack.calls.length;
      await hand.types(`/drop ${name}`);
      await bot.settled();
      expect(upgraded.slack.calls.length, name).toBeGreaterThan(calls);
    }
    hand.closes();
    await hand.act('open', { place: '#general' });
    for (const { name, type } of upgraded.shortcuts) {
      await hand.act('shortcut', type === 'message' ? { name, ts } : { name });
      await bot.settled();
      expect(JSON.stringify(hand.view()), name).toContain('"input"');
      hand.closes();
    }
    expect(
      bot
        .logged()
        .slice(lines)
        .filter(({ level, err }) => level === 'error' || err !== undefined),
    ).toEqual([]);
  });

  test('old fields still offer suggestions', async () => {
    for (const [key, field, words, found] of [
      ['send.form', 'receivers', 'person11', 'person11@example.org'],
      ['contacts.join', 'members', 'person12', 'person12@example.org'],
      ['contacts.add', 'knownGroups', 'team 13', 'team 13'],
    ] as const) {
      let offers: unknown;
      const offer = async (hand: ReturnType<Upgraded['hand']>) => {
        const ref = hand.elements().find((one) => one.ref.actionId === field)?.ref;
        offers = await hand.act('offers', { ref, words });
        throw new Error('only asked');
      };
      await upgraded.replay('submit', key, offer).catch(() => {});
      expect(JSON.stringify(offers), key).toContain(found);
    }
  });
});
