import { expect, test } from 'vitest';
import { type Contact, makeContact } from '../../../src/exchange/index.ts';
import { connectionOf } from '../../../src/features/common/connection.ts';
import { recentlyChanged } from '../../../src/features/contacts/edit/operations.ts';
import { editsIn } from '../../../src/features/contacts/edit/repository.ts';
import { prepareSend } from '../../../src/features/transfers/send/operations.ts';
import { bounds } from '../../../src/lib/bounds.ts';
import { adding } from '../../helpers/contacts.ts';
import { anna, bo, setUpFeatures } from '../../helpers/features.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';

const postgres = startTestPostgres();

async function setUpEdits() {
  const setup = await setUpFeatures(postgres);
  const { account } = (await connectionOf(setup.services, { workspace: 'T1' })).exchange;
  const edits = editsIn(setup.store);
  return {
    ...setup,
    account,
    edits,
    /** Records an edit by Bo that changed these contacts. */
    async edit(after: Contact[]) {
      const edit = { workspace: 'T1', account, person: bo.person, change: adding() };
      const sent = await edits.begin({ ...edit, id: await edits.add(setup.store.pool, edit) }, { before: [], after });
      await edits.close(setup.store.pool, sent, 'done', { before: [], after });
    },
  };
}

const carl = makeContact({ email: 'carl@example.org', number: '46700000001', nick: 'Carl', groups: ['board'] });
const dora = makeContact({ email: 'dora@example.net' });
const huge = makeContact({ email: 'huge@example.org', nick: 'x'.repeat(bounds.recentEditBytes) });

test('recent edits are read newest first, up to a byte limit', async () => {
  const { services, edit } = await setUpEdits();
  const changed = async (...emails: string[]) => {
    const { changes, isAll } = await recentlyChanged(services, { workspace: 'T1' }, emails);
    return { emails: [...changes.keys()], isAll };
  };
  await edit([dora]);
  expect(await changed('carl@example.org', 'dora@example.net')).toEqual({ emails: ['dora@example.net'], isAll: true });
  await edit([huge]);
  await edit([carl]);
  expect(await changed('carl@example.org', 'dora@example.net')).toEqual({ emails: ['carl@example.org'], isAll: false });
  expect(await changed('carl@example.org')).toEqual({ emails: ['carl@example.org'], isAll: true });
});

test('recent edits are limited in number, and the result says whether it has all', async () => {
  const { store, edits, account } = await setUpEdits();
  const add = (count: number) =>
    store.pool.query(
      `insert into dropline.contact_edits
         (id, workspace, account, person, before_encrypted, after_encrypted, created_at, reconciled_at, outcome)
       select gen_random_uuid(), 'T1', $1, 'U', '', 'sealed', now() - number * interval '1 second', now(), 'done'
       from generate_series(1, $2::int) number`,
      [account, count],
    );
  await add(bounds.recentEdits);
  const all = await edits.listRecent(account);
  expect([all.edits.length, all.isAll]).toEqual([bounds.recentEdits, true]);
  await add(1_000);
  const recent = await edits.listRecent(account);
  expect([recent.edits.length, recent.isAll]).toEqual([bounds.recentEdits, false]);
});

test('the review says if there were more changes than it reads', async () => {
  const { services, sourceFiles, edit } = await setUpEdits();
  const recipients = ['carl@example.org', 'dora@example.net'];
  const files = [sourceFiles.put('F1', 'plan.pdf', 'the plan')];
  const review = () => prepareSend(services, anna, { recipients, groups: [], files, message: '', expiresAfter: 7 });
  await edit([carl]);
  expect(await review()).toMatchObject({
    recipients: [{ changed: { person: bo.person } }, { changed: undefined }],
    hasAllChanges: true,
  });
  await edit([huge]);
  expect(await review()).toMatchObject({
    recipients: [{ changed: undefined }, { changed: undefined }],
    hasAllChanges: false,
  });
});
