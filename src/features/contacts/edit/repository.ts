import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { bounds } from '../../../bounds.ts';
import { type Contact, readContact } from '../../../exchange/index.ts';
import type { ColumnCipher, Store } from '../../../store/index.ts';
import { stored } from '../../../stored-formats.ts';
import type { EditOutcome } from '../../common/services.ts';
import type { Change } from './diff.ts';
import { changeSchema, type EditOrigin, originSchema, outcomeSchema } from './fields.ts';

/** An edit that a person requested on an account. */
export interface Edit {
  id: string;
  workspace: string;
  account: string;
  person: string;
  change: Change;
}

type Client = Pick<pg.ClientBase, 'query'>;

export type SentOutcome = 'done' | 'not done';

/**
 * An edit whose list was sent, or is about to be: the local list before it, and the list that it writes. After
 * reconciling, only the changed contacts are stored.
 */
export interface SentEdit extends Pick<Edit, 'id' | 'workspace' | 'person'> {
  before: readonly Contact[];
  after: readonly Contact[];
  /** Names of lost contacts, stored before they are restored. */
  restored: string[];
  outcome: SentOutcome | undefined;
}

/**
 * One row per edit: the change, who made it and where, the lists before and after, the outcome. Each step of the edit
 * writes its part with a separate statement, so that after a crash the next attempt finds what it needs.
 */
export interface Edits {
  /** Stores a requested edit and resolves with its id. */
  add(client: Client, edit: Omit<Edit, 'id'> & { origin?: EditOrigin | undefined }): Promise<string>;
  /** Reads the requested edit. Undefined after the person was notified of the outcome, or after a week. */
  readRequest(workspace: string, id: string): Promise<Edit | undefined>;
  /** Deletes the requested change. Call it only after the person was notified: until then, a retry needs it. */
  finish(workspace: string, id: string): Promise<void>;
  /** Reads where the person made the edit. Undefined after a day. */
  readOrigin(workspace: string, id: string): Promise<EditOrigin | undefined>;
  setOrigin(workspace: string, id: string, origin: EditOrigin): Promise<void>;
  /** Reads the outcome that the person was told; undefined before that, and after a day. */
  readReport(workspace: string, id: string): Promise<EditOutcome | undefined>;
  setReport(workspace: string, id: string, outcome: EditOutcome): Promise<void>;
  /** Stores the lists right before one is sent. Rejects if an earlier attempt hasn't been reconciled. */
  begin(edit: Edit, lists: Pick<SentEdit, 'before' | 'after'>): Promise<SentEdit>;
  /** Edits of an account whose outcome isn't known yet, oldest first. */
  listOpen(account: string): Promise<(SentEdit & { isRecent: boolean })[]>;
  /** Adds contacts that someone created elsewhere to both lists, so that they can be restored. */
  extend(edit: SentEdit, unexpected: readonly Contact[]): Promise<SentEdit>;
  /** Stores the names of missing contacts. After a crash, only these names show that contacts were missing. */
  recordRestored(edit: SentEdit, names: readonly string[]): Promise<SentEdit>;
  close(
    client: Client,
    edit: SentEdit,
    outcome: SentOutcome,
    changed: Pick<SentEdit, 'before' | 'after'>,
  ): Promise<void>;
  /** Undefined if no list was sent yet. */
  readSent(workspace: string, id: string): Promise<SentEdit | undefined>;
  /** The account's edits that were done in the last 30 days, newest first. `isAll` is false if some are left out. */
  listRecent(account: string): Promise<{ edits: RecentEdit[]; isAll: boolean }>;
}

export interface RecentEdit extends Pick<Edit, 'workspace' | 'person'> {
  at: Date;
  /** The contacts that the edit changed, before and after it; decrypted on demand. */
  lists(): { before: Contact[]; after: Contact[] };
}

const changeColumn = stored('contact_edits.change_encrypted', changeSchema);
const originColumn = stored('contact_edits.origin_encrypted', originSchema);
const reportColumn = stored('contact_edits.report_encrypted', outcomeSchema);
const restoredColumn = stored('contact_edits.restored_encrypted', z.array(z.string()));
const jsonTexts = z.array(z.string());
/** Longer than an attempt takes, including retries and pauses: an older attempt has no request in flight. */
const recentSince = `now() - interval '10 minutes'`;
const columns = `id, workspace, person, before_encrypted, after_encrypted, restored_encrypted, outcome,
  created_at > ${recentSince} as "isRecent"`;

/** How long each text can be read. After that, store/retention.ts deletes it. */
const textAges = { change_encrypted: '7 days', origin_encrypted: '1 day', report_encrypted: '1 day' };

export function editsIn({ pool, columnCipher }: Pick<Store, 'pool' | 'columnCipher'>): Edits {
  // A stored list is JSON in JSON, which can be twice as long.
  const cipherOf = (column: string) => columnCipher('contact_edits', column, 2 * bounds.contactListBytes);
  const before = cipherOf('before_encrypted');
  const after = cipherOf('after_encrypted');
  const restored = cipherOf('restored_encrypted');

  async function readText(column: keyof typeof textAges, workspace: string, id: string) {
    if (!isId(id)) return undefined;
    const { rows } = await pool.query<{ account: string; person: string; text: string }>(
      `select account, person, ${column} as text from dropline.contact_edits
       where workspace = $1 and id = $2 and ${column} is not null
         and created_at > now() - interval '${textAges[column]}'`,
      [workspace, id],
    );
    const [row] = rows;
    return row === undefined ? undefined : { ...row, value: cipherOf(column).decrypt(id, row.text) };
  }

  async function writeText(column: keyof typeof textAges, workspace: string, id: string, value: unknown) {
    if (!isId(id)) return;
    await pool.query(`update dropline.contact_edits set ${column} = $3 where workspace = $1 and id = $2`, [
      workspace,
      id,
      cipherOf(column).encrypt(id, value),
    ]);
  }

  const decryptContacts = (cipher: ColumnCipher, id: string, encrypted: string) =>
    jsonTexts.parse(cipher.decrypt(id, encrypted)).map(readContact);
  const encryptLists = (id: string, lists: Pick<SentEdit, 'before' | 'after'>) => [
    before.encrypt(id, jsonOf(lists.before)),
    after.encrypt(id, jsonOf(lists.after)),
  ];
  const sentEditOf = ({ before_encrypted, after_encrypted, restored_encrypted, outcome, ...row }: Row) => ({
    ...row,
    before: decryptContacts(before, row.id, before_encrypted),
    after: decryptContacts(after, row.id, after_encrypted),
    restored: restored_encrypted === null ? [] : restoredColumn.parse(restored.decrypt(row.id, restored_encrypted)),
    outcome: outcome ?? undefined,
  });

  return {
    async add(client, { workspace, account, person, change, origin }) {
      const id = randomUUID();
      await client.query(
        `insert into dropline.contact_edits (id, workspace, account, person, change_encrypted, origin_encrypted)
         values ($1, $2, $3, $4, $5, $6)`,
        [
          id,
          workspace,
          account,
          person,
          // JSON drops fields that are undefined.
          cipherOf('change_encrypted').encrypt(id, changeColumn.parse(JSON.parse(JSON.stringify(change)))),
          origin === undefined ? null : cipherOf('origin_encrypted').encrypt(id, originColumn.parse(origin)),
        ],
      );
      return id;
    },
    async readRequest(workspace, id) {
      const text = await readText('change_encrypted', workspace, id);
      if (text === undefined) return undefined;
      const { account, person, value } = text;
      return { id, workspace, account, person, change: changeColumn.parse(value) as Change };
    },
    async finish(workspace, id) {
      // An edit that never sent a list has nothing to reconcile.
      await pool.query(
        `update dropline.contact_edits set change_encrypted = null,
           reconciled_at = case when before_encrypted is null then now() else reconciled_at end
         where workspace = $1 and id = $2`,
        [workspace, id],
      );
    },
    async readOrigin(workspace, id) {
      const text = await readText('origin_encrypted', workspace, id);
      return text && originColumn.parse(text.value);
    },
    setOrigin: (workspace, id, origin) => writeText('origin_encrypted', workspace, id, originColumn.parse(origin)),
    async readReport(workspace, id) {
      const text = await readText('report_encrypted', workspace, id);
      return text && reportColumn.parse(text.value);
    },
    setReport: (workspace, id, outcome) => writeText('report_encrypted', workspace, id, reportColumn.parse(outcome)),

    async begin({ id, workspace, person }, lists) {
      const { rowCount } = await pool.query(
        `update dropline.contact_edits set before_encrypted = $3, after_encrypted = $4, restored_encrypted = null,
           outcome = null, reconciled_at = null, created_at = now()
         where workspace = $1 and id = $2 and (before_encrypted is null or reconciled_at is not null)`,
        [workspace, id, ...encryptLists(id, lists)],
      );
      if (rowCount !== 1) throw new Error(`the contact edit ${id} is open or was deleted`);
      return { id, workspace, person, ...lists, restored: [], outcome: undefined };
    },
    async listOpen(account) {
      const { rows } = await pool.query<Row>(
        `select ${columns} from dropline.contact_edits
         where account = $1 and before_encrypted is not null and reconciled_at is null order by created_at`,
        [account],
      );
      return rows.map(sentEditOf);
    },
    async extend(edit, unexpected) {
      const extended = { ...edit, before: [...edit.before, ...unexpected], after: [...edit.after, ...unexpected] };
      await pool.query('update dropline.contact_edits set before_encrypted = $2, after_encrypted = $3 where id = $1', [
        edit.id,
        ...encryptLists(edit.id, extended),
      ]);
      return extended;
    },
    async recordRestored(edit, names) {
      const allNames = [...new Set([...edit.restored, ...names])].slice(0, bounds.namesInError);
      if (allNames.length === edit.restored.length) return edit;
      await pool.query('update dropline.contact_edits set restored_encrypted = $2 where id = $1', [
        edit.id,
        restored.encrypt(edit.id, restoredColumn.parse(allNames)),
      ]);
      return { ...edit, restored: allNames };
    },
    async close(client, { id }, outcome, changed) {
      await client.query(
        `update dropline.contact_edits set reconciled_at = now(), outcome = $2, before_encrypted = $3,
           after_encrypted = $4 where id = $1`,
        [id, outcome, ...encryptLists(id, changed)],
      );
    },
    async readSent(workspace, id) {
      const { rows } = await pool.query<Row>(
        `select ${columns} from dropline.contact_edits
         where workspace = $1 and id = $2 and before_encrypted is not null`,
        [workspace, id],
      );
      return rows[0] && sentEditOf(rows[0]);
    },
    async listRecent(account) {
      // Reads one extra row, without its contacts, to find out whether there are more.
      const { rows } = await pool.query<RecentRow>(
        `select id, workspace, person, at,
           case when number <= $2 and bytes <= $3 then before_encrypted end as before_encrypted,
           case when number <= $2 and bytes <= $3 then after_encrypted end as after_encrypted
         from (
           select *, row_number() over newest_first as number, sum(own_bytes) over newest_first as bytes
           from (
             select id, workspace, person, created_at as at, before_encrypted, after_encrypted,
               octet_length(before_encrypted) + octet_length(after_encrypted) as own_bytes
             from dropline.contact_edits
             where account = $1 and outcome = 'done' and created_at > now() - interval '30 days'
             order by created_at desc, id limit $2 + 1
           ) newest
           window newest_first as (order by at desc, id)
         ) counted
         where bytes - own_bytes <= $3
         order by number`,
        [account, bounds.recentEdits, bounds.recentEditBytes],
      );
      const edits = rows.flatMap(({ id, before_encrypted: old, after_encrypted: changed, ...row }) => {
        if (old === null || changed === null) return [];
        const lists = () => ({ before: decryptContacts(before, id, old), after: decryptContacts(after, id, changed) });
        return [{ ...row, lists }];
      });
      return { edits, isAll: edits.length === rows.length };
    },
  };
}

/** A forged button can have any text as its value; Postgres rejects one that isn't an id. */
const isId = (id: string) => z.uuid().safeParse(id).success;

const jsonOf = (contacts: readonly Contact[]) => contacts.map(({ json }) => json);

interface RecentRow {
  id: string;
  workspace: string;
  person: string;
  at: Date;
  before_encrypted: string | null;
  after_encrypted: string | null;
}

interface Row {
  id: string;
  workspace: string;
  person: string;
  before_encrypted: string;
  after_encrypted: string;
  restored_encrypted: string | null;
  outcome: SentOutcome | null;
  isRecent: boolean;
}
