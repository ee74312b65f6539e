import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { type Contact, readContact } from '../../../exchange/index.ts';
import { bounds } from '../../../lib/bounds.ts';
import { stored } from '../../../lib/stored-formats.ts';
import type { ColumnCipher, Store } from '../../../store/index.ts';
import type { EditOutcome } from '../../common/services.ts';
import { typedContact } from '../list/fields.ts';
import { type Change, changeSchema } from './diff.ts';

/** Where a person made an edit, so that its outcome is shown there, and what they typed. */
const originSchema = z.object({
  /** The modal that will show the outcome. */
  view: z.string().optional(),
  /** The person's position in the contacts. */
  position: z.string(),
  /** What the edit changes, in a few words, for the direct message with the outcome. */
  about: z.string(),
  /** The contents of the form, to reopen it if the edit fails. */
  typed: typedContact.optional(),
});

export type EditOrigin = z.infer<typeof originSchema>;

/** An `EditOutcome`, as it is stored. */
const outcomeSchema = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('done'),
    added: z.number(),
    updated: z.number(),
    removed: z.number(),
    restored: z.array(z.string()),
  }),
  z.object({ state: z.literal('failed'), code: z.string(), message: z.string(), names: z.array(z.string()) }),
]);

/** An edit that a person requested on an account. */
export interface Edit {
  id: string;
  workspace: string;
  account: string;
  person: string;
  change: Change;
}

/** `isForgotten`: it was open in a restored backup, so it must not be made. */
type RequestedEdit = Edit & { isForgotten: boolean };

type Client = Pick<pg.ClientBase, 'query'>;

export type SentOutcome = 'done' | 'not done';

interface Lists {
  before: readonly Contact[];
  after: readonly Contact[];
}

/**
 * An edit whose list was sent, or is about to be: the local list before it, and the list that it writes. After
 * reconciling, only the changed contacts are stored.
 */
export interface SentEdit extends Pick<Edit, 'id' | 'workspace' | 'account' | 'person'>, Lists {
  /** Names of lost contacts, stored before they are restored. */
  restored: string[];
  outcome: SentOutcome | undefined;
}

export interface RecentEdit extends Pick<Edit, 'workspace' | 'person'> {
  at: Date;
  /** The contacts that the edit changed, before and after it; decrypted on demand. */
  lists(): Lists;
}

const changeColumn = stored('contact_edits.change_encrypted', changeSchema);
const originColumn = stored('contact_edits.origin_encrypted', originSchema);
const reportColumn = stored('contact_edits.report_encrypted', outcomeSchema);
const restoredColumn = stored('contact_edits.restored_encrypted', z.array(z.string()));
const jsonTexts = z.array(z.string());

/**
 * One row per edit: the change, who made it and where, the lists before and after, the outcome. Each step of the edit
 * writes its part with a separate statement, so that after a crash the next attempt finds what it needs. The ages up to
 * which texts can be read are those in store/retention.ts, which deletes older ones.
 */
export function editsIn({ pool, columnCipher }: Pick<Store, 'pool' | 'columnCipher'>) {
  // A stored list is JSON in JSON, which can be twice as long.
  const cipherOf = (column: string) => columnCipher('contact_edits', column, 2 * bounds.contactListBytes);
  const changes = cipherOf('change_encrypted');
  const origins = cipherOf('origin_encrypted');
  const reports = cipherOf('report_encrypted');
  const before = cipherOf('before_encrypted');
  const after = cipherOf('after_encrypted');
  const restored = cipherOf('restored_encrypted');

  const decryptContacts = (cipher: ColumnCipher, id: string, encrypted: string) =>
    jsonTexts.parse(cipher.decrypt(id, encrypted)).map(readContact);
  const encryptLists = (id: string, lists: Lists) => [
    before.encrypt(id, jsonOf(lists.before)),
    after.encrypt(id, jsonOf(lists.after)),
  ];
  const sentEditOf = ({ before_encrypted, after_encrypted, restored_encrypted, outcome, ...row }: Row): SentEdit => ({
    ...row,
    before: decryptContacts(before, row.id, before_encrypted),
    after: decryptContacts(after, row.id, after_encrypted),
    restored: restored_encrypted === null ? [] : restoredColumn.parse(restored.decrypt(row.id, restored_encrypted)),
    outcome: outcome ?? undefined,
  });

  return {
    /** Stores a requested edit and resolves with its id. */
    async add(client: Client, edit: Omit<Edit, 'id'> & { origin?: EditOrigin }): Promise<string> {
      const { workspace, account, person, change, origin } = edit;
      const id = randomUUID();
      await client.query(
        `insert into dropline.contact_edits (id, workspace, account, person, change_encrypted, origin_encrypted)
         values ($1, $2, $3, $4, $5, $6)`,
        [
          id,
          workspace,
          account,
          person,
          changes.encrypt(id, changeColumn.parse(change)),
          origin === undefined ? null : origins.encrypt(id, originColumn.parse(origin)),
        ],
      );
      return id;
    },
    /** Reads the requested edit. Undefined after the person was notified of the outcome, or after a week. */
    async readRequest(workspace: string, id: string): Promise<RequestedEdit | undefined> {
      const { rows } = await pool.query<Pick<RequestedEdit, 'account' | 'person' | 'isForgotten'> & { change: string }>(
        `select account, person, change_encrypted as change, outcome = 'unknown' is true as "isForgotten"
         from dropline.contact_edits
         where workspace = $1 and id = $2 and change_encrypted is not null and created_at > now() - interval '7 days'`,
        [workspace, id],
      );
      const [row] = rows;
      return row && { ...row, id, workspace, change: changeColumn.parse(changes.decrypt(id, row.change)) };
    },
    /** Deletes the requested change. Call it only after the person was notified: until then, a retry needs it. */
    async finish(workspace: string, id: string): Promise<void> {
      // An edit that never sent a list has nothing to reconcile.
      await pool.query(
        `update dropline.contact_edits set change_encrypted = null,
           reconciled_at = case when before_encrypted is null then now() else reconciled_at end
         where workspace = $1 and id = $2`,
        [workspace, id],
      );
    },
    /** Reads where the person made the edit, and the outcome that they were told. Empty after a day. */
    async readShown(workspace: string, id: string): Promise<{ origin?: EditOrigin; report?: EditOutcome }> {
      if (!isId(id)) return {};
      const { rows } = await pool.query<{ origin: string | null; report: string | null }>(
        `select origin_encrypted as origin, report_encrypted as report from dropline.contact_edits
         where workspace = $1 and id = $2 and created_at > now() - interval '1 day'`,
        [workspace, id],
      );
      const { origin = null, report = null } = rows[0] ?? {};
      return {
        ...(origin !== null && { origin: originColumn.parse(origins.decrypt(id, origin)) }),
        ...(report !== null && { report: reportColumn.parse(reports.decrypt(id, report)) }),
      };
    },
    async setOrigin(workspace: string, id: string, origin: EditOrigin): Promise<void> {
      await pool.query('update dropline.contact_edits set origin_encrypted = $3 where workspace = $1 and id = $2', [
        workspace,
        id,
        origins.encrypt(id, originColumn.parse(origin)),
      ]);
    },
    async setReport(workspace: string, id: string, outcome: EditOutcome): Promise<void> {
      await pool.query('update dropline.contact_edits set report_encrypted = $3 where workspace = $1 and id = $2', [
        workspace,
        id,
        reports.encrypt(id, reportColumn.parse(outcome)),
      ]);
    },

    /** Closes the edits of all workspaces that haven't been made, or whose outcome isn't known. Resolves with the workspace of each. */
    async forgetOpen(): Promise<string[]> {
      const { rows } = await pool.query<{ workspace: string }>(
        `update dropline.contact_edits set outcome = 'unknown', reconciled_at = now(), before_encrypted = null,
           after_encrypted = null, restored_encrypted = null
         where outcome is null and (change_encrypted is not null or before_encrypted is not null) returning workspace`,
      );
      return rows.map(({ workspace }) => workspace);
    },

    /** Stores the lists right before one is sent. Rejects if an earlier attempt hasn't been reconciled. */
    async begin({ id, workspace, account, person }: Edit, lists: Lists): Promise<SentEdit> {
      const { rowCount } = await pool.query(
        `update dropline.contact_edits set before_encrypted = $3, after_encrypted = $4, restored_encrypted = null,
           outcome = null, reconciled_at = null, created_at = now()
         where workspace = $1 and id = $2 and (before_encrypted is null or reconciled_at is not null)`,
        [workspace, id, ...encryptLists(id, lists)],
      );
      if (rowCount !== 1) throw new Error(`the contact edit ${id} is open or was deleted`);
      return { id, workspace, account, person, ...lists, restored: [], outcome: undefined };
    },
    /**
     * Edits of an account whose outcome isn't known yet, oldest first. `isRecent`: a request of the last attempt can
     * still be in flight.
     */
    async listOpen(account: string): Promise<(SentEdit & { isRecent: boolean })[]> {
      const { rows } = await pool.query<Row & { isRecent: boolean }>(
        // Ten minutes are longer than an attempt takes, including retries and pauses.
        `select id, workspace, account, person, before_encrypted, after_encrypted, restored_encrypted, outcome,
           created_at > now() - interval '10 minutes' as "isRecent"
         from dropline.contact_edits
         where account = $1 and before_encrypted is not null and reconciled_at is null order by created_at`,
        [account],
      );
      return rows.map((row) => ({ ...sentEditOf(row), isRecent: row.isRecent }));
    },
    /** The accounts of the workspace's edits with these ids. @param ids untrusted */
    async accountsOf(workspace: string, ids: readonly string[]): Promise<string[]> {
      if (ids.length === 0) return [];
      const { rows } = await pool.query<{ account: string }>(
        'select distinct account from dropline.contact_edits where workspace = $1 and id = any ($2::uuid[])',
        [workspace, ids],
      );
      return rows.map(({ account }) => account);
    },
    /** Adds contacts that someone created elsewhere to both lists, so that they can be restored. */
    async extend(edit: SentEdit, unexpected: readonly Contact[]): Promise<SentEdit> {
      const extended = { ...edit, before: [...edit.before, ...unexpected], after: [...edit.after, ...unexpected] };
      await pool.query('update dropline.contact_edits set before_encrypted = $2, after_encrypted = $3 where id = $1', [
        edit.id,
        ...encryptLists(edit.id, extended),
      ]);
      return extended;
    },
    /** Stores the names of missing contacts. After a crash, only these names show that contacts were missing. */
    async recordRestored(edit: SentEdit, names: readonly string[]): Promise<SentEdit> {
      const allNames = [...new Set([...edit.restored, ...names])].slice(0, bounds.namesInError);
      if (allNames.length === edit.restored.length) return edit;
      await pool.query('update dropline.contact_edits set restored_encrypted = $2 where id = $1', [
        edit.id,
        restored.encrypt(edit.id, restoredColumn.parse(allNames)),
      ]);
      return { ...edit, restored: allNames };
    },
    async close(client: Client, { id }: SentEdit, outcome: SentOutcome, changed: Lists): Promise<void> {
      await client.query(
        `update dropline.contact_edits set reconciled_at = now(), outcome = $2, before_encrypted = $3,
           after_encrypted = $4 where id = $1`,
        [id, outcome, ...encryptLists(id, changed)],
      );
    },
    /** Undefined if no list was sent yet. */
    async readSent(workspace: string, id: string): Promise<SentEdit | undefined> {
      const { rows } = await pool.query<Row>(
        `select id, workspace, account, person, before_encrypted, after_encrypted, restored_encrypted, outcome
         from dropline.contact_edits where workspace = $1 and id = $2 and before_encrypted is not null`,
        [workspace, id],
      );
      return rows[0] && sentEditOf(rows[0]);
    },
    /** The account's edits that were done in the last 30 days, newest first. `isAll` is false if some are left out. */
    async listRecent(account: string): Promise<{ edits: RecentEdit[]; isAll: boolean }> {
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

interface Row extends Pick<Edit, 'id' | 'workspace' | 'account' | 'person'> {
  before_encrypted: string;
  after_encrypted: string;
  restored_encrypted: string | null;
  outcome: SentOutcome | null;
}

interface RecentRow extends Pick<Edit, 'id' | 'workspace' | 'person'> {
  at: Date;
  before_encrypted: string | null;
  after_encrypted: string | null;
}
