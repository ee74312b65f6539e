import { createHash } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { bounds } from '../lib/bounds.ts';
import { stored } from '../lib/stored-formats.ts';
import { type Batches, batchesBySize } from './batches.ts';
import { auditId, createColumnCipher } from './encrypted-columns.ts';
import type { Cipher } from './encryption.ts';
import { lockInTransaction, tryLock } from './locks.ts';
import { inTransaction } from './pool.ts';

const link = z.object({ number: z.number(), hash: z.string() });
type Link = z.infer<typeof link>;
const start: Link = { number: 0, hash: '' };

/** How long entries are kept until the workspace changes it. */
export const initialAuditDays = 400;
/** A shorter time that an admin sets has no effect for so long. */
const shorterAfterMs = 86_400_000;

/**
 * The last entry that has its number, the last one that retention removed, how many days entries are kept, and the number
 * of the last one that was logged. Encrypted, so that nobody without the key can write another end. The days are here
 * because the audit outlives the settings.
 */
const chainEnds = stored(
  'chains.ends_encrypted',
  z.object({
    head: link,
    removed: link,
    days: z.number().default(initialAuditDays),
    logged: z.number().default(0),
  }),
);
type ChainEnds = z.infer<typeof chainEnds>;
const startEnds = chainEnds.parse({ head: start, removed: start });

export interface ChainReport {
  workspace: string;
  ends: ChainEnds;
  /** Entries that don't have their number yet. */
  waiting: number;
  problems: string[];
}

/** An entry with its place in the chain. Its hash can be computed from this and the hash of the entry before. */
export interface ChainedEntry extends Link {
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  workspace: string;
  person: string;
  action: string;
  outcome: string;
  reference: string;
  /** The number in the table. */
  sequence: number;
  /** Null if the entry couldn't be decrypted when it got its place. */
  details: unknown;
}

/** For how many days to keep entries, and when that was set, in milliseconds since 1970. */
export interface DaysSetting {
  days: number;
  since: number;
}

interface Row {
  /** All columns of the entry except its details, as a JSON array. */
  id: string;
  key: string;
  sequence: string;
  encrypted: string;
  isOld: boolean;
  number: string;
  hash: string;
}

const columns = `${auditId} as id, id as key, number as sequence, details_encrypted as encrypted,
  at < now() - interval '1 day' as "isOld", chain_number as number, chain_hash as hash`;

/** SHA-256 of the JSON text of everything that the entry says, its number, and the hash of the entry before. */
function hashOf(previous: string, number: number, { id, sequence }: Row, details: unknown): string {
  const content = JSON.stringify([previous, number, ...JSON.parse(id), Number(sequence), details]);
  return createHash('sha256').update(content).digest('hex');
}

const chainLock = (workspace: string) => `audit chain:${workspace}`;

/**
 * One chain of audit entries per workspace: each has the next number, and a hash that contains the one before. Entries
 * get both soon after they are committed, so that recording them takes no lock. The hash is over decrypted values: a key
 * rotation doesn't change it.
 */
export function createChains(pool: pg.Pool, cipher: Cipher) {
  const details = createColumnCipher(cipher, 'audit', 'details_encrypted');
  const ends = createColumnCipher(cipher, 'chains', 'ends_encrypted');

  /** Undefined if the entry was changed in the database, or no key decrypts it. */
  function readDetails({ id, encrypted }: Row): unknown {
    try {
      return details.decrypt(JSON.stringify(JSON.parse(id)), encrypted);
    } catch {
      return undefined;
    }
  }

  async function readEnds(client: pg.ClientBase, workspace: string): Promise<ChainEnds | undefined> {
    const sql = 'select ends_encrypted as encrypted from dropline.chains where workspace = $1';
    const { rows } = await client.query<{ encrypted: string }>(sql, [workspace]);
    return rows[0] && chainEnds.parse(ends.decrypt(workspace, rows[0].encrypted));
  }

  /** Rejects if entries have numbers and the end is gone: a new chain would hide that. */
  async function readEndsOrStart(client: pg.ClientBase, workspace: string): Promise<ChainEnds> {
    const known = await readEnds(client, workspace);
    if (known !== undefined) return known;
    const sql = 'select from dropline.audit where workspace = $1 and chain_number is not null limit 1';
    const { rowCount } = await client.query(sql, [workspace]);
    if (rowCount !== 0) throw new Error('the end of the audit chain is missing');
    return startEnds;
  }

  async function writeEnds(client: pg.ClientBase, workspace: string, value: ChainEnds): Promise<void> {
    await client.query(
      `insert into dropline.chains (workspace, ends_encrypted, is_logged) values ($1, $2, $3)
       on conflict (workspace) do update set ends_encrypted = excluded.ends_encrypted, is_logged = excluded.is_logged`,
      [workspace, ends.encrypt(workspace, value), value.logged === value.head.number],
    );
  }

  /** Reads a limited number of entries, of limited size. */
  async function readRows(client: pg.ClientBase, where: string, values: unknown[]): Promise<Row[]> {
    const { rows: sizes } = await client.query<{ key: string; bytes: number }>(
      `select id as key, octet_length(details_encrypted) as bytes from dropline.audit
       where ${where} limit ${bounds.entriesChained}`,
      values,
    );
    const [batch = []] = batchesBySize(sizes);
    const { rows } = await client.query<Row>(
      `select ${columns} from dropline.audit where id = any ($1) order by chain_number, sequence`,
      [batch.map(({ key }) => key)],
    );
    return rows;
  }

  /** Resolves with the number of entries that were chained. */
  const chainSome = (workspace: string) =>
    inTransaction(pool, async (client) => {
      if (!(await tryLock(client, chainLock(workspace)))) return 0;
      const where = 'workspace = $1 and chain_number is null order by number';
      const rows = await readRows(client, where, [workspace]);
      const ends = await readEndsOrStart(client, workspace);
      const links: (Link & { key: string })[] = [];
      let last = ends.head;
      for (const row of rows) {
        const value = readDetails(row);
        // During a key rotation, other processes can have a newer key. They chain the entry.
        if (value === undefined && !row.isOld) continue;
        const number = last.number + 1;
        last = { number, hash: hashOf(last.hash, number, row, value ?? null) };
        links.push({ ...last, key: row.key });
      }
      if (links.length === 0) return 0;
      const { rowCount } = await client.query(
        `update dropline.audit set chain_number = link.number, chain_hash = link.hash
         from unnest($1::uuid[], $2::bigint[], $3::text[]) as link (id, number, hash)
         where audit.id = link.id and chain_number is null`,
        [links.map(({ key }) => key), links.map(({ number }) => number), links.map(({ hash }) => hash)],
      );
      if (rowCount !== links.length) throw new Error('audit entries were deleted while they were chained');
      await writeEnds(client, workspace, { ...ends, head: last });
      return links.length;
    });

  /** Resolves with how many days entries are kept, after a change of the setting has taken effect. */
  const daysWith = (workspace: string, setting: DaysSetting | undefined) =>
    inTransaction(pool, async (client) => {
      await lockInTransaction(client, chainLock(workspace));
      const ends = await readEndsOrStart(client, workspace);
      const isInEffect =
        setting !== undefined && (setting.days > ends.days || setting.since < Date.now() - shorterAfterMs);
      if (!isInEffect || setting.days === ends.days) return ends.days;
      await writeEnds(client, workspace, { ...ends, days: setting.days });
      return setting.days;
    });

  /** Removes the first entries of a chain while they are old enough. Resolves with their number. */
  const removeSome = (workspace: string, days: number, limit: number) =>
    inTransaction(pool, async (client) => {
      await lockInTransaction(client, chainLock(workspace));
      const { rows } = await client.query<Link & { isOld: boolean }>(
        `select chain_number::float8 as number, chain_hash as hash, at < now() - $2::float8 * interval '1 day' as "isOld" from dropline.audit
         where workspace = $1 and chain_number is not null order by chain_number limit $3`,
        [workspace, days, limit],
      );
      const kept = rows.findIndex(({ isOld }) => !isOld);
      const old = kept < 0 ? rows : rows.slice(0, kept);
      const last = old.at(-1);
      if (last === undefined) return 0;
      const ends = await readEndsOrStart(client, workspace);
      await client.query('delete from dropline.audit where workspace = $1 and chain_number <= $2', [
        workspace,
        last.number,
      ]);
      await writeEnds(client, workspace, { ...ends, removed: { number: last.number, hash: last.hash } });
      return old.length;
    });

  /** Resolves with the number of entries that were written. They are written again if this process dies before the commit. */
  const logSome = (workspace: string, write: (entries: ChainedEntry[]) => Promise<void>) =>
    inTransaction(pool, async (client) => {
      if (!(await tryLock(client, chainLock(workspace)))) return 0;
      const ends = await readEndsOrStart(client, workspace);
      const where = 'workspace = $1 and chain_number > $2 order by chain_number';
      const entries = (await readRows(client, where, [workspace, ends.logged])).map(chainedEntryOf);
      await write(entries);
      await writeEnds(client, workspace, { ...ends, logged: entries.at(-1)?.number ?? ends.head.number });
      return entries.length;
    });

  function chainedEntryOf(row: Row): ChainedEntry {
    const [id, at, workspace, person, action, outcome, reference] = JSON.parse(row.id);
    const columns = { id, at, workspace, person, action, outcome, reference, sequence: Number(row.sequence) };
    return { number: Number(row.number), hash: row.hash, ...columns, details: readDetails(row) ?? null };
  }

  /** Resolves with the total of what `work` resolves with. A workspace that fails doesn't stop the others. */
  async function sumOf(workspaces: string, work: (workspace: string) => Promise<number>): Promise<number> {
    let total = 0;
    const failures: unknown[] = [];
    for (const { workspace } of (await pool.query<{ workspace: string }>(workspaces)).rows) {
      try {
        total += await work(workspace);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} audit chains failed`);
    return total;
  }

  return {
    /** Gives new entries their number and hash. Resolves with how many. */
    extend: () => sumOf('select distinct workspace from dropline.audit where chain_number is null', chainSome),
    /** Writes the entries that have their place and weren't written yet, in the order of each chain. */
    log: (write: (entries: ChainedEntry[]) => Promise<void>) =>
      sumOf('select workspace from dropline.chains where not is_logged', (workspace) => logSome(workspace, write)),
    /** Compares numbers and hashes of a workspace's entries, from the log or a receipt, with its chain. */
    compare: (workspace: string, links: readonly Link[]) =>
      inTransaction(pool, (client) => compareOne(client, workspace, links)),
    /** The workspaces that have a chain. */
    async workspaces(): Promise<string[]> {
      const { rows } = await pool.query<{ workspace: string }>('select workspace from dropline.chains');
      return rows.map(({ workspace }) => workspace);
    },
    /** How many days the workspace's entries are kept. */
    async daysKept(workspace: string): Promise<number> {
      return (await inTransaction(pool, (client) => readEnds(client, workspace)))?.days ?? initialAuditDays;
    },
    /**
     * Removes entries that are older than their workspace keeps them. Resolves with how many. Without a setting, entries
     * are kept as long as before.
     */
    sweep: (
      settingOf: (workspace: string) => Promise<DaysSetting | undefined>,
      { rows, maxStatements }: Batches = { rows: bounds.entriesChained, maxStatements: 100 },
    ) =>
      sumOf('select workspace from dropline.chains', async (workspace) => {
        const days = await daysWith(workspace, await settingOf(workspace));
        let total = 0;
        for (let batch = 0; batch < maxStatements; batch += 1) {
          const removed = await removeSome(workspace, days, rows);
          total += removed;
          if (removed < rows) break;
        }
        return total;
      }),
    /** Compares every chain with its hashes, as of one moment. */
    async *verify(): AsyncGenerator<ChainReport> {
      const { rows } = await pool.query<{ workspace: string }>(
        'select workspace from dropline.audit union select workspace from dropline.chains order by workspace',
      );
      for (const { workspace } of rows) yield await inTransaction(pool, (client) => verifyOne(client, workspace));
    },
  };

  async function compareOne(client: pg.ClientBase, workspace: string, links: readonly Link[]): Promise<string[]> {
    await client.query('set transaction isolation level repeatable read, read only');
    const { head, removed } = (await readEnds(client, workspace).catch(() => undefined)) ?? startEnds;
    const { rows } = await client.query<Link>(
      `select chain_number::float8 as number, chain_hash as hash from dropline.audit
       where workspace = $1 and chain_number = any ($2)`,
      [workspace, links.map(({ number }) => number)],
    );
    const hashes = new Map([removed, ...rows].map(({ number, hash }) => [number, hash]));
    return links.flatMap(({ number, hash }) => {
      if (number > head.number) return [`entry ${number} isn't in the database: the chain ends with ${head.number}`];
      // Retention has removed those before its marker.
      if (number < removed.number || hashes.get(number) === hash) return [];
      return [`entry ${number} has another hash in the database, or was removed`];
    });
  }

  async function verifyOne(client: pg.ClientBase, workspace: string): Promise<ChainReport> {
    await client.query('set transaction isolation level repeatable read, read only');
    const problems = createProblems();
    const known = await readEnds(client, workspace).catch(() => undefined);
    let last = known?.removed ?? start;
    let count = 0;
    for await (const row of readAll(client, workspace, 'chain_number')) {
      last = verifyRow(row, last, known, problems);
      count += 1;
    }
    const head = known?.head ?? last;
    if (known === undefined && count > 0) problems.add('the end of the chain was removed or changed');
    if (last.number < head.number) problems.add(removedBetween(last.number + 1, head.number));
    else if (last.hash !== head.hash) problems.add(`entry ${head.number} isn't the one that the chain ended with`);
    let waiting = 0;
    for await (const row of readAll(client, workspace, 'number', 'chain_number is null')) {
      if (readDetails(row) === undefined) problems.add(`the entry ${row.key}, without a number, ${unreadableText}`);
      waiting += 1;
    }
    return { workspace, ends: known ?? { ...startEnds, head: last }, waiting, problems: problems.list() };
  }

  async function* readAll(client: pg.ClientBase, workspace: string, order: 'chain_number' | 'number', where = 'true') {
    for (let position = '-9223372036854775808'; ; ) {
      const rows = await readRows(client, `workspace = $1 and ${where} and ${order} > $2 order by ${order}`, [
        workspace,
        position,
      ]);
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined) return;
      position = order === 'number' ? last.sequence : last.number;
    }
  }

  /** Returns the link that the next entry must contain. */
  function verifyRow(row: Row, last: Link, known: ChainEnds | undefined, problems: Problems): Link {
    const number = Number(row.number);
    const value = readDetails(row);
    if (known !== undefined && number <= known.removed.number) {
      problems.add(`entry ${number} was inserted: retention has removed all up to ${known.removed.number}`);
      return last;
    }
    if (known !== undefined && number > known.head.number) {
      problems.add(`entry ${number} was inserted: the chain ends with ${known.head.number}`);
      return last;
    }
    const isNext = number === last.number + 1;
    if (!isNext) problems.add(removedBetween(last.number + 1, number - 1));
    if (value === undefined) problems.add(`entry ${number} ${unreadableText}`);
    else if (isNext && row.hash !== hashOf(last.hash, number, row, value))
      problems.add(`entry ${number} was reordered, or its number or hash was changed`);
    return { number, hash: row.hash };
  }
}

const unreadableText = 'was changed or inserted, or no key in SECRET_KEY decrypts it';

const removedBetween = (first: number, last: number) =>
  first === last ? `entry ${first} was removed` : `entries ${first} to ${last} were removed`;

type Problems = ReturnType<typeof createProblems>;

function createProblems() {
  const problems: string[] = [];
  let total = 0;
  return {
    add(problem: string): void {
      total += 1;
      if (problems.length < bounds.chainProblems) problems.push(problem);
    },
    list: () => (total > problems.length ? [...problems, `${total - problems.length} more`] : problems),
  };
}
