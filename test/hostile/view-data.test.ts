import { expect, test } from 'vitest';
import { connectMetadata } from '../../src/features/account/connect/views.ts';
import { auditMetadata } from '../../src/features/audit/views.ts';
import { readPosition, writePosition } from '../../src/features/contacts/list/position.ts';
import { historyMetadata } from '../../src/features/history/views.ts';
import { allValue, fileValue } from '../../src/features/inbox/items/views.ts';
import { inboxMetadata } from '../../src/features/inbox/list/views.ts';
import { takeOverMetadata } from '../../src/features/inbox/work/views.ts';
import { pauseValue } from '../../src/features/pause/views.ts';
import { channelMetadata } from '../../src/features/settings/channels/form.ts';
import { settingsMetadata, turnOffMetadata } from '../../src/features/settings/pages/form.ts';
import { offerValue } from '../../src/features/staging/views.ts';
import { approvalMetadata } from '../../src/features/transfers/approval/views.ts';
import { tickValue } from '../../src/features/transfers/checklist/card.ts';
import { requestMetadata } from '../../src/features/transfers/request/views.ts';
import { cardValue } from '../../src/features/transfers/send/card.ts';
import { confirmMetadata, sendMetadata } from '../../src/features/transfers/send/views.ts';
import { filledIn } from '../../src/slack/form.ts';
import { targetPage } from '../../src/slack/pages.ts';
import { anyCodePoint, anyText, fc, inherited, runs } from '../helpers/properties.ts';

const short = fc.string({ unit: anyCodePoint, maxLength: 60 }).filter((text) => text.isWellFormed());
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

type Codec = { write(value: never): string; read(text: string | undefined): unknown };
const position = { write: writePosition, read: readPosition };

/** The data that views and buttons contain, with its possible values. */
const viewData: [string, Codec, fc.Arbitrary<unknown>][] = [
  ['history', historyMetadata, fc.record({ search: short })],
  ['audit', auditMetadata, fc.record({ person: short, action: short }, { requiredKeys: [] })],
  ['connect', connectMetadata, fc.record({ next: short }, { requiredKeys: [] })],
  [
    'settings',
    settingsMetadata,
    fc.record({
      seen: fc.dictionary(fc.stringMatching(/^[a-z]{1,20}$/), short, { maxKeys: 5, noNullPrototype: true }),
    }),
  ],
  ['file', fileValue, fc.record({ item: short, file: short })],
  ['inbox', inboxMetadata, fc.record({ page: fc.nat(), item: short }, { requiredKeys: ['page'] })],
  [
    'card',
    cardValue,
    fc.record({ id: short, without: fc.array(fc.nat(), { maxLength: 9 }) }, { requiredKeys: ['id'] }),
  ],
  ['send', sendMetadata, fc.record({ files: fc.array(fc.string({ maxLength: 30 }), { maxLength: 50 }) })],
  ['confirm', confirmMetadata, fc.record({ review: short })],
  ['request', requestMetadata, fc.record({ repeats: fc.string({ maxLength: 36 }), note: short }, { requiredKeys: [] })],
  ['approval', approvalMetadata, fc.record({ id: short })],
  ['page to turn off settings', turnOffMetadata, fc.record({ draft: short })],
  ['inbox channel', channelMetadata, fc.record({ replaces: short, seen: short, anyway: short }, { requiredKeys: [] })],
  [
    'pause',
    pauseValue,
    fc.record(
      { target: fc.constantFrom('sending', 'requests', 'downloads'), submit: short },
      { requiredKeys: ['target'] },
    ),
  ],
  ['all', allValue, fc.record({ items: fc.array(fc.string({ maxLength: 20 }), { maxLength: 50 }) })],
  ['offer', offerValue, fc.record({ files: fc.array(fc.string({ maxLength: 30 }), { maxLength: 5 }) })],
  ['tick', tickValue, fc.record({ id: short, point: fc.nat(), isTicked: fc.boolean() })],
  [
    'take over',
    takeOverMetadata,
    fc.record(
      { item: short, holder: short, below: fc.record({ page: fc.nat(), isNew: fc.boolean() }) },
      { requiredKeys: ['item', 'holder'] },
    ),
  ],
  [
    'position',
    position,
    fc.record({ query: short, page: fc.nat(), group: short }, { requiredKeys: ['query', 'page'] }),
  ],
];

test.each(viewData)('the data "%s" of a view or button is read as it was written', (_, { write, read }, value) => {
  fc.assert(
    fc.property(value, (data) => {
      const text = write(data as never);
      expect(text.length).toBeLessThanOrEqual(3_000);
      expect(JSON.stringify(read(text))).toBe(JSON.stringify(data));
    }),
    runs(100),
  );
});

test.each(viewData)('forged data "%s" of a view or button is ignored or read as valid data', (_, codec) => {
  const { write, read } = codec;
  const forged = fc.oneof(
    anyText,
    fc.json(),
    fc
      .dictionary(
        fc.constantFrom('page', 'item', 'seen', 'id', 'files', 'query', 'target', 'point', 'below', '__proto__'),
        fc.jsonValue(),
      )
      .map((o) => JSON.stringify(o)),
    fc.constantFrom('{"__proto__":{"page":0}}', '{"seen":{"__proto__":"x"}}', '{"page":1e999}', '[', '{}', 'null'),
  );
  fc.assert(
    fc.property(optional(forged), (text) => {
      const data = read(text);
      if (data !== undefined) expect(read(write(data as never))).toEqual(data);
    }),
    runs(300),
  );
  expect(({} as { page?: unknown; seen?: unknown }).page).toBeUndefined();
});

test('any value of a paging button becomes a page number of 0 or more', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.integer().map(String), fc.double().map(String)), (value) => {
      expect(targetPage(value)).toBeGreaterThanOrEqual(0);
      expect(Number.isSafeInteger(targetPage(value))).toBe(true);
    }),
  );
});

test('a form field is read by its name, and a missing field is empty', () => {
  const fields = fc.dictionary(fc.oneof(fc.stringMatching(/^[a-z]{1,8}$/), inherited), anyText, {
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(fields, fc.oneof(inherited, fc.stringMatching(/^[A-Z]{1,8}$/)), (typed, other) => {
      const values = Object.fromEntries(
        Object.entries(typed).map(([name, value]) => [name, { [name]: { type: 'plain_text_input', value } }]),
      );
      const filled = filledIn({ blocks: [], state: { values } });
      for (const [name, value] of Object.entries(typed)) expect(filled.text(name)).toBe(value.trim());
      if (Object.hasOwn(typed, other)) return;
      expect(filled.text(other)).toBe('');
      expect([filled.choice(other), filled.channel(other)]).toEqual([undefined, undefined]);
      for (const read of [filled.choices, filled.channels, filled.people, filled.files])
        expect(read(other)).toEqual([]);
      expect(filled.labels(other).size).toBe(0);
    }),
    runs(300),
  );
});
