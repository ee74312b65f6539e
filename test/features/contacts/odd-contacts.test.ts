import { expect, test } from 'vitest';
import { adding, changingNick, done, removing } from '../../helpers/contacts.ts';
import { anna } from '../../helpers/features.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { setUpVerbatim } from './odd-contacts.ts';

const postgres = startTestPostgres();

const plain = '{"email":"plain@example.org"}';
/** JSON that changes when it is parsed and serialized again, and contacts without an address. */
const odd = [
  '{"email":"big@example.org","id":9007199254740993123,"ratio":1.10,"tiny":1E-400,"minus":-0}',
  '{"nick":"\\u00e5\\/ \\ud83d\\ude00","email":"escaped@example.org" , "groups" : [ "b","a" ]}',
  '{"10":1,"2":2,"email":"keys@example.org","__proto__":{"x":[{"y":[]}]},"a":null}',
  '{"email":"twice@example.org","x":1,"x":2}',
  '{"nick":"nobody","number":467}',
  '{"email":null,"nick":"nobody either"}',
  '{}',
];

test('an edit keeps all other contacts byte for byte', async () => {
  const { service, change, notifications } = await setUpVerbatim(postgres, ...odd, plain);
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1 }));
  expect(await change(anna, changingNick('plain@example.org', 'P'))).toEqual(done({ updated: 1 }));
  const contacts = [{ email: 'NEW@example.org', nick: 'N' }, { email: 'x@example.org' }];
  expect(await change(anna, { kind: 'import', contacts })).toEqual(done({ added: 1, updated: 1 }));
  expect(await change(anna, removing('x@example.org'))).toEqual(done({ removed: 1 }));
  expect(service.local).toEqual([
    ...odd,
    '{"email":"plain@example.org","nick":"P"}',
    '{"email":"new@example.org","nick":"N"}',
  ]);
  expect(service.writes).toBe(4);
  expect(notifications.alarms).toEqual([]);
});

test('an edit of a contact with unusual fields keeps its other fields byte for byte', async () => {
  const { service, change } = await setUpVerbatim(postgres, ...odd);
  expect(await change(anna, changingNick('big@example.org', 'B'))).toEqual(done({ updated: 1 }));
  expect(service.local).toEqual([
    '{"email":"big@example.org","id":9007199254740993123,"ratio":1.10,"tiny":1E-400,"minus":-0,"nick":"B"}',
    ...odd.slice(1),
  ]);
});

test('an edit or removal affects only one of two addresses that differ only in case', async () => {
  const [upper, lower] = ['{"email":"Carl@example.org","nick":"1"}', '{"email":"carl@example.org","nick":"2"}'];
  const { service, change } = await setUpVerbatim(postgres, upper, lower);
  expect(await change(anna, changingNick('carl@example.org', '3'))).toEqual(done({ updated: 1 }));
  expect(service.local).toEqual([upper, '{"email":"carl@example.org","nick":"3"}']);
  expect(await change(anna, changingNick('Carl@example.org', '4'))).toEqual(done({ updated: 1 }));
  expect(await change(anna, adding('CARL@example.org'))).toMatchObject({ code: 'exists' });
  const conflicting = { kind: 'edit', email: 'carl@example.org', fields: { email: 'Carl@example.org' } } as const;
  expect(await change(anna, conflicting)).toMatchObject({ code: 'exists' });
  expect(await change(anna, removing('carl@example.org'))).toEqual(done({ removed: 1 }));
  expect(service.local).toEqual(['{"email":"Carl@example.org","nick":"4"}']);
});

test('duplicate contacts are kept, and removed one at a time', async () => {
  const duplicate = '{"email":"duplicate@example.org"}';
  const { service, change } = await setUpVerbatim(postgres, duplicate, plain, duplicate);
  expect(await change(anna, changingNick('plain@example.org', 'P'))).toEqual(done({ updated: 1 }));
  expect(service.local.filter((text) => text === duplicate)).toHaveLength(2);
  expect(await change(anna, removing('duplicate@example.org'))).toEqual(done({ removed: 1 }));
  expect(service.local).toEqual(['{"email":"plain@example.org","nick":"P"}', duplicate]);
});

test("contacts rewritten by the service don't count as lost", async () => {
  const { service, change, notifications } = await setUpVerbatim(
    postgres,
    '{"email":"a@example.org","number":"467","note":"n"}',
    plain,
    '{"nick":"nobody"}',
  );
  service.toStored = (text) => {
    const { email, number, ...rest } = JSON.parse(text);
    return JSON.stringify({ id: 7, ...rest, number: number && Number(number), email: email?.toLowerCase() });
  };
  const contacts = [{ email: 'New@Example.org', number: '46700000000' }];
  expect(await change(anna, { kind: 'add', contacts })).toEqual(done({ added: 1 }));
  expect(await change(anna, changingNick('A@example.org', 'A'))).toEqual(done({ updated: 1 }));
  expect(notifications.alarms).toEqual([]);
  expect(service.local.map((text) => JSON.parse(text).email)).toEqual([
    'a@example.org',
    'plain@example.org',
    undefined,
    'new@example.org',
  ]);
});

test('an altered contact is reported even if another address differs only in case', async () => {
  const { service, change, notifications } = await setUpVerbatim(
    postgres,
    '{"email":"Twin@x.org"}',
    '{"email":"twin@x.org"}',
    plain,
  );
  service.toStored = (text) => (text === '{"email":"twin@x.org"}' ? plain : text);
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1, altered: ['twin@x.org'] }));
  expect(notifications.alarms).toEqual([{ kind: 'contacts-restored', person: anna.person, emails: ['twin@x.org'] }]);
  expect(await change(anna, adding('next@example.org'))).toEqual(done({ added: 1 }));
});

test('an address that the service stores differently is reported only once', async () => {
  const { service, change, notifications } = await setUpVerbatim(postgres, '{"email":"tag+x@example.org"}', plain);
  service.toStored = (text) => text.replace(/\+\w+/, '');
  const altered = ['tag+x@example.org'];
  expect(await change(anna, adding('new@example.org'))).toEqual(done({ added: 1, altered }));
  expect(notifications.alarms).toEqual([{ kind: 'contacts-restored', person: anna.person, emails: altered }]);
  expect(service.writes).toBe(2);
  expect(await change(anna, adding('next@example.org'))).toEqual(done({ added: 1 }));
});
