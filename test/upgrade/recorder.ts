import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import type { ExchangeServer } from '../../src/sandbox/exchange/index.ts';
import type { Workspace } from '../../src/sandbox/slack/index.ts';
import { contextOf } from '../../src/store/encrypted-keyv.ts';
import type { Cipher } from '../../src/store/encryption.ts';
import { elementsIn, type FoundElement, nameOf, type PersonDriver } from './person-driver.ts';
import type { RecordedAction, RecordedTeam, Recording } from './recording.ts';

/** Records every button and form that people have open. A later one with the same key replaces the earlier one. */
export class Recorder {
  readonly actions = new Map<string, RecordedAction>();
  readonly views: Recording['slack']['views'] = {};
  readonly known: Record<string, string> = {};

  /** Records every button of the current modal. */
  recordButtons(driver: PersonDriver, suffix = ''): void {
    const view = this.#recordView(driver);
    for (const found of elementsIn({ kind: 'view', viewId: view.id }, view.body.blocks)) {
      const isField = view.body.blocks.some(({ block_id, type }) => block_id === found.ref.blockId && type === 'input');
      if (!isField) this.#recordClick(driver, found, { view: this.#nameOf(view) }, suffix);
    }
  }

  /** Records submitting the modal, with the values entered so far. */
  recordForm(driver: PersonDriver, variant = ''): void {
    const view = this.#recordView(driver);
    const key = `${view.body.callback_id}${variant}`;
    this.#add({ key, kind: 'submit', ...personOf(driver), view: this.#nameOf(view) });
  }

  /** Records closing the modal. */
  recordClose(driver: PersonDriver): void {
    const view = this.#recordView(driver);
    this.#add({ key: `${view.body.callback_id}`, kind: 'close', ...personOf(driver), view: this.#nameOf(view) });
  }

  /** Records every button in messages and Home. Of buttons with the same key, the newest is recorded. */
  recordMessages(driver: PersonDriver, names?: readonly string[]): void {
    driver.closesAll();
    for (const found of driver.elements().reverse()) {
      if (names !== undefined && !names.includes(nameOf(found.ref.actionId))) continue;
      this.#recordClick(driver, found, { ref: found.ref }, found.ref.surface.kind === 'message' ? '#message' : '#home');
    }
  }

  #recordView(driver: PersonDriver) {
    const view = driver.view();
    if (view === undefined) throw new Error(`${driver.person.name} has no modal open`);
    this.views[this.#nameOf(view)] = structuredClone(view);
    return view;
  }

  #nameOf(view: { id: string; hash: string }): string {
    return `${view.id} ${view.hash}`;
  }

  #recordClick(
    driver: PersonDriver,
    { ref, element }: FoundElement,
    where: Pick<RecordedAction, 'view' | 'ref'>,
    suffix: string,
  ): void {
    const base = { kind: 'click', ...personOf(driver), ref, ...where } as const;
    const { options, value } = element as { options?: { value: string }[]; value?: string };
    const isWord = /^[a-z-]+$/.test(value ?? '') && !ref.actionId.includes('#');
    const key = `${ref.actionId}${isWord ? `#${value}` : ''}${suffix}`;
    if (options === undefined) this.#add({ key, ...base });
    for (const option of options ?? [])
      this.#add({ key: `${ref.actionId}#${option.value.split(' ')[0]}`, ...base, option: { ...option } });
  }

  #add(action: RecordedAction): void {
    this.actions.set(`${action.kind} ${action.key}`, action);
  }
}

const personOf = ({ workspace, person }: PersonDriver) => ({ workspace: workspace.name, person: person.id });

/** A workspace as plain data, without client state like open modals. */
export async function snapshotWorkspace({ state }: Workspace): Promise<RecordedTeam> {
  const { id, name, domain, installation, appUser, users, channels, files, views, homes } = state;
  const saved = [...files.values()].map(async ({ data, ...file }) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of data.open()) chunks.push(chunk);
    return { ...file, base64: Buffer.concat(chunks).toString('base64') };
  });
  return {
    id,
    name,
    domain,
    installation,
    appUser,
    users: [...users.values()],
    channels: [...channels.values()].map((channel) => ({ ...channel, members: [...channel.members] })),
    files: await Promise.all(saved),
    homes: [...homes.values()].flatMap((view) => views.get(view) ?? []),
  };
}

export async function snapshotService(
  exchange: ExchangeServer,
  names: readonly string[],
): Promise<Recording['service']> {
  const accounts = names.map((name) => structuredClone(exchange.account(name)));
  const digests = accounts.flatMap(({ inbox }) => inbox.flatMap((item) => item.files.map(({ sha256 }) => sha256)));
  const read = async (sha256: string) => [sha256, (await exchange.readFile(sha256)).toString('base64')] as const;
  const files = Object.fromEntries(await Promise.all([...new Set(digests)].map(read)));
  return { recordedAt: Date.now(), accounts, files };
}

/** Extends the expiry of every stored value by 100 years, so that the recording does not expire. */
export async function extendExpiry(client: Pick<pg.Pool, 'query'>, cipher: Cipher): Promise<void> {
  const centuryMs = 100 * 365 * 86_400_000;
  const { rows } = await client.query<{ key: string; value: string }>(
    'select key, value from dropline.keyv where expires_at is not null',
  );
  for (const { key, value } of rows) {
    const { expires, ...rest } = JSON.parse(cipher.decrypt(contextOf(key), value));
    const encrypted = cipher.encrypt(contextOf(key), JSON.stringify({ ...rest, expires: expires + centuryMs }));
    await client.query(`update dropline.keyv set value = $2, expires_at = to_timestamp($3) where key = $1`, [
      key,
      encrypted,
      (expires + centuryMs) / 1000,
    ]);
  }
}

/** The two schemas as plain SQL. Needs the `pg_dump` of the server's version. */
export async function dumpDatabase(databaseUrl: string): Promise<string> {
  const options = ['--inserts', '--rows-per-insert=50', '--no-owner', '--no-privileges', '--no-comments'];
  const schemas = ['--schema=dropline', '--schema=graphile_worker'];
  const { stdout } = await promisify(execFile)('pg_dump', [...options, ...schemas, databaseUrl], { maxBuffer: 1e8 });
  // The remaining lines work on every server since version 15 and in clients other than psql.
  const isPlain = (line: string) => !/^(\\|--|SET (transaction_timeout|default_|xmloption|row_security))/.test(line);
  return `${stdout
    .split('\n')
    .filter(isPlain)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

/** Writes one line per entry, so that recordings can be compared. */
export async function writeJson(file: URL, value: Record<string, unknown>): Promise<void> {
  const linesOf = (inner: unknown) => {
    if (Array.isArray(inner)) return `[\n${inner.map((one) => JSON.stringify(one)).join(',\n')}\n]`;
    if (typeof inner !== 'object' || inner === null) return JSON.stringify(inner);
    const entries = Object.entries(inner).map(([key, one]) => `${JSON.stringify(key)}: ${JSON.stringify(one)}`);
    return `{\n${entries.join(',\n')}\n}`;
  };
  const parts = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${linesOf(inner)}`);
  await writeFile(file, `{\n${parts.join(',\n')}\n}\n`);
}
