import { readFile } from 'node:fs/promises';
import { EmbeddedPostgresError } from './errors.ts';

/** The account that runs the programs of Postgres, if it isn't our own. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

export interface Identity {
  uid: number;
  gid: number;
}

/**
 * Postgres refuses to run as root, so root uses another account: the owner of existing data, so that an account added
 * later changes nothing; otherwise `postgres` or `nobody`. All other users run Postgres themselves.
 */
export async function chooseAccount(
  self: Identity,
  owner: Identity | undefined,
  passwd = '/etc/passwd',
): Promise<Account | undefined> {
  if (self.uid !== 0) return undefined;
  if (owner !== undefined && owner.uid !== 0) return { name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  const accounts = parseAccounts(await readFile(passwd, 'utf8').catch(() => ''));
  const account = ['postgres', 'nobody']
    .map((name) => accounts.find((entry) => entry.name === name && entry.uid !== 0))
    .find((entry) => entry !== undefined);
  if (account !== undefined) return account;
  throw new EmbeddedPostgresError(
    'Postgres does not run as root, and there is no account postgres or nobody to run it as: start the bot as an ordinary user, or set DATABASE_URL to a Postgres server.',
  );
}

/** Each line is name:password:uid:gid:... A negative uid (macOS) is skipped, because `chown` can't use it. */
function parseAccounts(text: string): Account[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (name === undefined || !/^\d+$/.test(uid ?? '') || !/^\d+$/.test(gid ?? '')) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}
