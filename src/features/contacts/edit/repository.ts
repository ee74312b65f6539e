import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { bounds } from '../../../bounds.ts';
import { type Contact, readContact } from '../../../exchange/index.ts';
import type { ColumnCipher, Store } from '../../../store/index.ts';
import { stored } from '../../../stored-formats.ts';
import type { EditOutcome } from '../../common/services.ts';
import type { Change } from './diff.ts';
import { changeFormat, type EditOrigin, originFormat, type Report, reportFormat, restoredFormat } from './fields.ts';
import { oldEditsIn } from './old-format.ts';

export type ImageOutcome = 'done' | 'not done';

/**
 * The before and after image of an edit: the local list before it, and the list that it writes. After reconciling, only
 * the changed contacts are stored.
 */
export interface Image {
  id: string;
  workspace: string;
  person: string;
  edit: string;
  before: readonly Contact[];
  after: readonly Contact[];
  /** Names of lost contacts, stored before they are restored. */
  restored: string[];
  outcome: ImageOutcome | undefined;
}

/**
 * One row per edit: the change, who made it and where, the lists before and after, the outcome. Each step of the edit
 * writes its part with a separate statement, so that after a crash the next attempt finds what it needs.
 */
export interface Edits {
  /** Stores a requested edit and resolves with its id. */
  add(edit: {
    workspace: string;
    account: string;
    person: string;
    change: Change;
    origin?: EditOrigin | undefined;
  }): Promise<string>;
  /** Reads the requested change. Undefined after the person was notified of the outcome, or after a week. */
  readRequest(workspace: string, edit: string): Promise<{ person: string; change: Change } | undefined>;
  /** Deletes the requested change. Call it only after the person was notified: until then, a retry needs it. */
  finish(workspace: string, edit: string): Promise<void>;
  /** Reads where the person made the edit. Undefined after a day. */
  readOrigin(workspace: string, edit: string): Promise<EditOrigin | undefined>;
  setOrigin(workspace: string, edit: string, origin: EditOrigin): Promise<void>;
  /** Reads the outcome that the person was told; undefined before that, and after a day. */
  readReport(workspace: string, edit: string): Promise<EditOutcome | undefined>;
  setReport(workspace: string, edit: string, outcome: EditOutcome): Promise<void>;
  begin(image: Omit<Image, 'id' | 'outcome' | 'restored'> & { account: string }): Promise<Image>;
  /** Edits of an account whose outcome isn't known yet, oldest first. */
  listOpen(account: string): Promise<(Image & { isRecent: boolean })[]>;
  /** Adds contacts that someone created elsewhere to both lists, so that they can be restored. */
  extend(image: Image, unexpected: readonly Contact[]): Promise<Image>;
  /** Stores the names of missing contacts. After a crash, only these names show that contacts were missing. */
  recordRestored(image: Image, names: readonly string[]): Promise<Image>;
  close(image: Image, outcome: ImageOutcome, changed: Pick<Image, 'before' | 'after'>): Promise<void>;
  /** Reads the lists of the edit's last attempt. */
  readLastImage(workspace: string, edit: string): Promise<Image | undefined>;
  /** The account's edits that were done in the last 30 days, newest first. `isAll` is false if some are left out. */
  listRecent(account: string): Promise<{ edits: RecentEdit[]; isAll: boolean }>;
}

export interface RecentEdit extends Pick<Image, 'workspace' | 'person'> {
  at: Date;
  /** The contacts that the edit added or changed, as it left them; decrypted on demand. */
  after(): Contact[];
}

const changeSchema = stored('contact_images.change_sealed', changeFormat());
const originSchema = stored('contact_images.waiter_sealed', originFormat());
const reportSchema = stored('contact_images.report_sealed', reportFormat());
const restoredSchema = stored('contact_images.restored_sealed', restoredFormat());
const jsonTexts = z.array(z.string());
/** Longer than an attempt takes, including retries and pauses: an older attempt has no request in flight. */
const recentSince = `now() - interval '10 minutes'`;
const columns = `id, workspace, person, edit, before_sealed, after_sealed, restored_sealed, outcome,
  created_at > ${recentSince} as "isRecent"`;

/** How long each text can be read. After that, store/retention.ts deletes it. */
const textAges = { change_sealed: '7 days', waiter_sealed: '1 day', report_sealed: '1 day' };

export function editsIn(store: Pick<Store, 'pool' | 'columnCipher' | 'collection'>): Edits {
  const { pool } = store;
  const cipherOf = (column: string) => store.columnCipher('contact_images', column);
  const [before, after, restored] = [cipherOf('before_sealed'), cipherOf('after_sealed'), cipherOf('restored_sealed')];
  const old = oldEditsIn(store);

  /** The row of an edit has the edit's id; rows of older versions have an id for each attempt. */
  const ownRow = 'workspace = $1 and edit = $2 and id::text = edit';

  async function readText(column: keyof typeof textAges, workspace: string, edit: string) {
    const { rows } = await pool.query<{ person: string; text: string }>(
      `select person, ${column} as text from dropline.contact_images
       where ${ownRow} and ${column} is not null and created_at > now() - interval '${textAges[column]}'`,
      [workspace, edit],
    );
    const [row] = rows;
    return row === undefined
      ? undefined
      : { person: row.person, value: cipherOf(column).decrypt(edit, row.text) as unknown };
  }

  async function writeText(
    column: keyof typeof textAges,
    workspace: string,
    edit: string,
    value: unknown,
  ): Promise<void> {
    await pool.query(`update dropline.contact_images set ${column} = $3 where ${ownRow}`, [
      workspace,
      edit,
      cipherOf(column).encrypt(edit, value),
    ]);
  }

  const decryptContacts = (cipher: ColumnCipher, id: string, encrypted: string) =>
    jsonTexts.parse(cipher.decrypt(id, encrypted)).map(readContact);
  const encryptLists = (id: string, lists: Pick<Image, 'before' | 'after'>) => [
    before.encrypt(id, jsonOf(lists.before)),
    after.encrypt(id, jsonOf(lists.after)),
  ];
  async function imageOf({ before_sealed, after_sealed, restored_sealed, outcome, ...row }: Row) {
    const { id, workspace } = row;
    return {
      ...row,
      before: decryptContacts(before, id, before_sealed),
      after: decryptContacts(after, id, after_sealed),
      restored:
        restored_sealed === null
          ? await old.readRestored(workspace, id)
          : restoredSchema.parse(restored.decrypt(id, restored_sealed)),
      outcome: outcome ?? undefined,
    };
  }
  async function select(condition: string, values: unknown[]) {
    const sql = `select ${columns} from dropline.contact_images where before_sealed is not null and ${condition}`;
    return Promise.all((await pool.query<Row>(sql, values)).rows.map(imageOf));
  }

  return {
    async add({ workspace, account, person, change, origin }) {
      const id = randomUUID();
      await pool.query(
        `insert into dropline.contact_images (id, workspace, account, person, edit, change_sealed, waiter_sealed)
         values ($1::uuid, $2, $3, $4, $1::uuid::text, $5, $6)`,
        [
          id,
          workspace,
          account,
          person,
          // JSON drops fields that are undefined.
          cipherOf('change_sealed').encrypt(id, changeSchema.parse(JSON.parse(JSON.stringify(change)))),
          origin === undefined ? null : cipherOf('waiter_sealed').encrypt(id, originSchema.parse(origin)),
        ],
      );
      return id;
    },
    async readRequest(workspace, edit) {
      const text = await readText('change_sealed', workspace, edit);
      if (text === undefined) return (await old.readRequest(workspace, edit)) as Requested | undefined;
      return { person: text.person, change: changeSchema.parse(text.value) as Change };
    },
    async finish(workspace, edit) {
      // An edit that never sent a list has nothing to reconcile.
      await pool.query(
        `update dropline.contact_images set change_sealed = null,
           settled_at = case when before_sealed is null then now() else settled_at end
         where ${ownRow}`,
        [workspace, edit],
      );
      await old.finish(workspace, edit);
    },
    async readOrigin(workspace, edit) {
      const text = await readText('waiter_sealed', workspace, edit);
      return text === undefined ? old.readOrigin(workspace, edit) : originSchema.parse(text.value);
    },
    setOrigin: (workspace, edit, origin) => writeText('waiter_sealed', workspace, edit, originSchema.parse(origin)),
    async readReport(workspace, edit) {
      const text = await readText('report_sealed', workspace, edit);
      const report = text === undefined ? await old.readReport(workspace, edit) : reportSchema.parse(text.value);
      return report === undefined ? undefined : outcomeOf(report);
    },
    setReport: (workspace, edit, outcome) =>
      writeText('report_sealed', workspace, edit, reportSchema.parse(reportOf(outcome))),

    async begin({ account, ...image }) {
      const insert = (id: string) =>
        pool.query(
          `insert into dropline.contact_images (id, workspace, account, person, edit, before_sealed, after_sealed)
           values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (id) do update set account = excluded.account, before_sealed = excluded.before_sealed,
             after_sealed = excluded.after_sealed, restored_sealed = null, outcome = null, settled_at = null,
             created_at = now()
           where contact_images.settled_at is not null or contact_images.before_sealed is null`,
          [id, image.workspace, account, image.person, image.edit, ...encryptLists(id, image)],
        );
      // An earlier attempt can still be open only on another account, to which the workspace was connected before. Its
      // lists must stay until that account can be reconciled, so this attempt gets a separate row.
      const { rowCount } = await insert(image.edit);
      const id = rowCount === 1 ? image.edit : randomUUID();
      if (rowCount !== 1) await insert(id);
      return { id, ...image, restored: [], outcome: undefined };
    },
    listOpen: (account) => select('account = $1 and settled_at is null order by created_at', [account]),
    async extend(image, unexpected) {
      const extended = { ...image, before: [...image.before, ...unexpected], after: [...image.after, ...unexpected] };
      await pool.query('update dropline.contact_images set before_sealed = $2, after_sealed = $3 where id = $1', [
        image.id,
        ...encryptLists(image.id, extended),
      ]);
      return extended;
    },
    async recordRestored(image, names) {
      const allNames = [...new Set([...image.restored, ...names])].slice(0, bounds.namesInError);
      if (allNames.length === image.restored.length) return image;
      await pool.query('update dropline.contact_images set restored_sealed = $2 where id = $1', [
        image.id,
        restored.encrypt(image.id, restoredSchema.parse(allNames)),
      ]);
      return { ...image, restored: allNames };
    },
    async close({ id }, outcome, changed) {
      await pool.query(
        `update dropline.contact_images set settled_at = now(), outcome = $2, before_sealed = $3, after_sealed = $4
         where id = $1`,
        [id, outcome, ...encryptLists(id, changed)],
      );
    },
    async readLastImage(workspace, edit) {
      const [image] = await select('workspace = $1 and edit = $2 order by created_at desc limit 1', [workspace, edit]);
      return image;
    },
    async listRecent(account) {
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

const jsonOf = (contacts: readonly Contact[]) => contacts.map(({ json }) => json);

function reportOf(outcome: EditOutcome): Report {
  if (outcome.state === 'failed') return { ...outcome, names: [...outcome.names] };
  const { restored, ...counts } = outcome;
  return { ...counts, mended: restored };
}

function outcomeOf(report: Report): EditOutcome {
  if (report.state === 'failed') return report;
  const { mended, ...counts } = report;
  return { ...counts, restored: mended };
}

interface Requested {
  person: string;
  change: Change;
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
  restored_sealed: string | null;
  outcome: ImageOutcome | null;
  isRecent: boolean;
}
