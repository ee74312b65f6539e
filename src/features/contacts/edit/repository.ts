import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { bounds } from '../../../bounds.ts';
import { type Contact, readContact } from '../../../exchange/index.ts';
import type { ColumnCipher, Store } from '../../../store/index.ts';

export type ImageOutcome = 'done' | 'not done';

/** The local list before an edit, and the list that the edit writes. After reconciling, only the changed contacts. */
export interface Image {
  id: string;
  workspace: string;
  person: string;
  edit: string;
  before: Contact[];
  after: Contact[];
  outcome: ImageOutcome | undefined;
}

export interface Images {
  begin(image: Omit<Image, 'id' | 'outcome'> & { account: string }): Promise<Image>;
  /** Edits of an account whose outcome isn't known yet, oldest first. */
  listOpen(account: string): Promise<(Image & { isRecent: boolean })[]>;
  /** Adds contacts that someone created elsewhere to both lists, so that they can be restored. */
  extend(image: Image, unexpected: readonly Contact[]): Promise<Image>;
  close(image: Image, outcome: ImageOutcome, changed: Pick<Image, 'before' | 'after'>): Promise<void>;
  /** The image of the edit's last attempt. */
  ofEdit(workspace: string, edit: string): Promise<Image | undefined>;
  /** The account's edits of the last 30 days, by any workspace, newest first. `isAll` is false if some are left out. */
  recent(account: string): Promise<{ edits: RecentEdit[]; isAll: boolean }>;
}

export interface RecentEdit extends Pick<Image, 'workspace' | 'person'> {
  at: Date;
  /** The contacts as the edit left them, decrypted on demand. */
  after(): Contact[];
}

const jsonTexts = z.array(z.string());
/** Longer than an attempt takes, including retries and pauses: an older attempt has no request in flight. */
const recentSince = `now() - interval '10 minutes'`;
const columns = `id, workspace, person, edit, before_sealed, after_sealed, outcome, created_at > ${recentSince} as "isRecent"`;

export function imagesIn({ pool, columnCipher }: Pick<Store, 'pool' | 'columnCipher'>): Images {
  const before = columnCipher('contact_images', 'before_sealed');
  const after = columnCipher('contact_images', 'after_sealed');
  const decryptContacts = (cipher: ColumnCipher, id: string, encrypted: string) =>
    jsonTexts.parse(cipher.decrypt(id, encrypted)).map(readContact);
  const jsonOf = (contacts: readonly Contact[]) => contacts.map(({ json }) => json);
  const imageOf = ({ before_sealed, after_sealed, outcome, ...row }: Row) => ({
    ...row,
    before: decryptContacts(before, row.id, before_sealed),
    after: decryptContacts(after, row.id, after_sealed),
    outcome: outcome ?? undefined,
  });
  const select = async (rest: string, values: unknown[]) =>
    (await pool.query<Row>(`select ${columns} from dropline.contact_images ${rest}`, values)).rows.map(imageOf);

  return {
    async begin({ account, ...image }) {
      const id = randomUUID();
      await pool.query(
        `insert into dropline.contact_images (id, workspace, account, person, edit, before_sealed, after_sealed)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [
          id,
          image.workspace,
          account,
          image.person,
          image.edit,
          before.encrypt(id, jsonOf(image.before)),
          after.encrypt(id, jsonOf(image.after)),
        ],
      );
      return { id, ...image, outcome: undefined };
    },
    listOpen: (account) => select('where account = $1 and settled_at is null order by created_at', [account]),
    async extend(image, unexpected) {
      const { id } = image;
      const extended = { ...image, before: [...image.before, ...unexpected], after: [...image.after, ...unexpected] };
      await pool.query('update dropline.contact_images set before_sealed = $2, after_sealed = $3 where id = $1', [
        id,
        before.encrypt(id, jsonOf(extended.before)),
        after.encrypt(id, jsonOf(extended.after)),
      ]);
      return extended;
    },
    async close({ id }, outcome, changed) {
      await pool.query(
        `update dropline.contact_images set settled_at = now(), outcome = $2, before_sealed = $3, after_sealed = $4
         where id = $1`,
        [id, outcome, before.encrypt(id, jsonOf(changed.before)), after.encrypt(id, jsonOf(changed.after))],
      );
    },
    async ofEdit(workspace, edit) {
      const [image] = await select('where workspace = $1 and edit = $2 order by created_at desc limit 1', [
        workspace,
        edit,
      ]);
      return image;
    },
    async recent(account) {
      // Reads one extra row, without its contacts, to find out whether there are more.
      const { rows } = await pool.query<RecentRow>(
        `select id, workspace, person, at, case when number <= $2 and bytes <= $3 then after_sealed end as after_sealed
         from (
           select *, row_number() over newest_first as number, sum(octet_length(after_sealed)) over newest_first as bytes
           from (
             select id, workspace, person, created_at as at, after_sealed from dropline.contact_images
             where account = $1 and outcome = 'done' and created_at > now() - interval '30 days'
             order by created_at desc, id limit $2 + 1
           ) newest
           window newest_first as (order by at desc, id)
         ) counted
         where bytes - octet_length(after_sealed) <= $3
         order by number`,
        [account, bounds.recentEdits, bounds.recentEditBytes],
      );
      const edits = rows.flatMap(({ id, after_sealed: encrypted, ...row }) =>
        encrypted === null ? [] : [{ ...row, after: () => decryptContacts(after, id, encrypted) }],
      );
      return { edits, isAll: edits.length === rows.length };
    },
  };
}

interface RecentRow {
  id: string;
  workspace: string;
  person: string;
  at: Date;
  after_sealed: string | null;
}

interface Row {
  id: string;
  workspace: string;
  person: string;
  edit: string;
  before_sealed: string;
  after_sealed: string;
  outcome: ImageOutcome | null;
  isRecent: boolean;
}
