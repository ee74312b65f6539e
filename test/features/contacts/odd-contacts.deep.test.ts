import { expect, test } from 'vitest';
import { exportContacts, previewImport } from '../../../src/features/contacts/import/operations.ts';
import { changingNick, done } from '../../helpers/contacts.ts';
import { anna } from '../../helpers/features.ts';
import { startTestPostgres } from '../../helpers/postgres.ts';
import { setUpVerbatim } from './odd-contacts.ts';

const postgres = startTestPostgres();

test('with 5,000 contacts, an edit changes only its contact, and an import all of them', async () => {
  const many = Array.from({ length: 5_000 }, (_, index) =>
    JSON.stringify({ email: `p${index}@example.org`, number: `4670${index + 100_000}`, groups: ['all'], id: index }),
  );
  const { services, service, change } = await setUpVerbatim(postgres, ...many);
  expect(await change(anna, changingNick('p17@example.org', 'Seventeen'))).toEqual(done({ updated: 1 }));
  expect(service.local.toSpliced(17, 1)).toEqual(many.toSpliced(17, 1));
  const table = await exportContacts(services, anna);
  const { contacts: imported, ...counts } = await previewImport(services, anna, table);
  expect(counts).toMatchObject({ added: [], updated: [], unchanged: 5_000, skipped: [], problems: [] });
  const contacts = imported.map(({ email, ...rest }) => ({ ...rest, email, nick: 'New' }));
  expect(await change(anna, { kind: 'import', contacts })).toEqual(done({ updated: 5_000 }));
  expect(JSON.parse(service.local[4_999] ?? '')).toMatchObject({ id: 4_999, nick: 'New' });
}, 120_000);
