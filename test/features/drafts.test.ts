import { expect, test } from 'vitest';
import { connect } from '../../src/features/account/connect/operations.ts';
import { safeName, uniqueNames } from '../../src/features/common/names.ts';
import { parseFields } from '../../src/features/contacts/list/fields.ts';
import { readUploaded } from '../../src/features/files/operations.ts';
import { chooseRecipients, clearRecipients } from '../../src/features/recipients/operations.ts';
import { readStaged, stageFiles, unstageFiles } from '../../src/features/staging/operations.ts';
import { readDraft } from '../../src/features/staging/repository.ts';
import { prepareSend } from '../../src/features/transfers/send/operations.ts';
import { uploadsIn } from '../../src/features/transfers/uploads/repository.ts';
import { failureOf } from '../helpers/exchange.ts';
import { admin, anna, bo, setUpFeatures } from '../helpers/features.ts';
import { startTestPostgres } from '../helpers/postgres.ts';
import { anyCodePoint, fc } from '../helpers/properties.ts';

const postgres = startTestPostgres();

test('files shared at the same time are all staged for the person who shared them', async () => {
  const { services, sourceFiles } = await setUpFeatures(postgres);
  const ids = Array.from({ length: 12 }, (_, number) => sourceFiles.put(`F${number}`, `${number}.txt`, 'x'));
  await Promise.all(ids.map((id) => stageFiles(services, anna, [id])));
  expect((await readDraft(services, anna)).staged.sort()).toEqual([...ids].sort());
  expect((await readDraft(services, bo)).staged).toEqual([]);
  await unstageFiles(services, anna, ids.slice(2));
  sourceFiles.files.delete('F0');
  expect(await readStaged(services, anna)).toEqual(
    expect.arrayContaining([{ id: 'F0', file: undefined, isTicked: true }, expect.objectContaining({ id: 'F1' })]),
  );
});

test("an unstaged file's name and size are no longer stored in the draft", async () => {
  const { services, sourceFiles } = await setUpFeatures(postgres);
  const files = ['F1', 'F2'].map((id) => ({
    id: sourceFiles.put(id, `${id}.txt`, 'x'),
    name: id,
    size: 1,
    stamp: '1',
    isSnippet: false,
    isShared: true,
  }));
  await stageFiles(services, anna, ['F1', 'F2'], files);
  await unstageFiles(services, anna, ['F1']);
  expect((await readDraft(services, anna)).files.map(({ id }) => id)).toEqual(['F2']);
});

test('sharing many files uses few connections, and one refusal stops no other file', async () => {
  const { services, sourceFiles, store } = await setUpFeatures(postgres);
  const ids = Array.from({ length: 40 }, (_, number) => sourceFiles.put(`F${number}`, `${number}.txt`, 'x'));
  const tooMany = Array.from({ length: 101 }, (_, number) => `X${number}`);
  const counts: number[] = [];
  const count = async () => {
    const sql = `select count(*)::int as count from pg_stat_activity
      where application_name = 'dropline lock' and datname = current_database()`;
    counts.push((await store.pool.query<{ count: number }>(sql)).rows[0]?.count ?? 0);
  };
  const timer = setInterval(count, 5);
  const outcomes = await Promise.allSettled(
    [ids.slice(0, 20), [tooMany], ids.slice(20)].flat().map((some) => stageFiles(services, anna, [some].flat())),
  );
  clearInterval(timer);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect((await readDraft(services, anna)).staged).toHaveLength(40);
  expect(counts.length).toBeGreaterThan(3);
  expect(Math.max(...counts)).toBeLessThanOrEqual(3);
});

test('recipients must be contacts or groups; unknown names are refused and listed', async () => {
  const { services } = await setUpFeatures(postgres);
  await chooseRecipients(services, anna, { recipients: ['emil@example.com'], groups: ['board'] });
  expect(await readDraft(services, anna)).toMatchObject({ recipients: ['emil@example.com'], groups: ['board'] });
  const unknown = chooseRecipients(services, anna, { recipients: ['nobody@example.org'], groups: ['nogroup'] });
  expect(await failureOf(unknown)).toMatchObject({ code: 'not-found', names: ['nobody@example.org', 'nogroup'] });
  await clearRecipients(services, anna);
  expect(await readDraft(services, anna)).toMatchObject({ recipients: [], groups: [] });
});

test('the review highlights new recipients and recently changed contacts', async () => {
  const { services, sourceFiles, send, startWorker, account } = await setUpFeatures(postgres);
  const { changeContacts } = await import('../../src/features/contacts/edit/operations.ts');
  await startWorker();
  sourceFiles.put('F1', 'plan.pdf', 'the plan');
  await send(anna, { files: ['F1'], recipients: ['carl@example.org'] });
  await changeContacts(services, bo, {
    kind: 'edit',
    email: 'dora@example.net',
    fields: parseFields({ number: '46711111111' }),
  });
  await expect.poll(() => account.contacts.local[1]?.number).toBe('46711111111');
  const draft = {
    files: ['F1'],
    recipients: ['carl@example.org', 'dora@example.net'],
    groups: [],
    message: '',
    expiresAfter: 7,
  };
  await expect
    .poll(async () => (await prepareSend(services, anna, draft)).recipients)
    .toMatchObject([
      { email: 'carl@example.org', number: '46700000001', isFirstTime: false, changed: undefined },
      { email: 'dora@example.net', number: '46711111111', isFirstTime: true, changed: { person: bo.person } },
    ]);
});

test("a workspace doesn't see the uploads of another workspace on the same account", async () => {
  const { services, account, server, store } = await setUpFeatures(postgres);
  const { user: username, apiKey } = account;
  await connect(services, { workspace: 'T2', person: admin.person }, { baseUrl: server.url, username, apiKey });
  await uploadsIn(store).record('T1', `${server.url}/${username}`, 'merger.pdf');
  expect(await readUploaded(services, anna)).toMatchObject({ ours: ['merger.pdf'] });
  expect(await readUploaded(services, { workspace: 'T2', person: 'U-eve' })).toMatchObject({ ours: [] });
});

test('any file name becomes one safe path segment of at most 255 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint, maxLength: 400 }), (name) => {
      const safe = safeName(name);
      expect(safe).not.toMatch(/[\p{Cc}/\\<>:"|?*]/u);
      expect(['', '.', '..']).not.toContain(safe);
      expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(255);
      expect(safe.isWellFormed()).toBe(true);
      expect(safeName(safe)).toBe(safe);
    }),
  );
});

test('file names within a transfer are unique, even if case is ignored', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a.pdf', 'A.PDF', 'a (2).pdf', 'b', '', '../b', `${'x'.repeat(300)}.txt`)),
      (names) => {
        const unique = uniqueNames(names);
        expect(new Set(unique.map((name) => name.toLowerCase())).size).toBe(names.length);
        for (const name of unique) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      },
    ),
  );
  expect(uniqueNames(['plan.pdf', 'plan.pdf', 'PLAN.pdf'])).toEqual(['plan.pdf', 'plan (2).pdf', 'PLAN (3).pdf']);
  expect(safeName('\u202efdp.exe')).toBe('fdp.exe');
});
