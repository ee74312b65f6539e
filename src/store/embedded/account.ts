import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { EmbeddedPostgresError } from './errors.ts';

/** Whom the programs of Postgres run as, where that is not ourselves. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

export interface Self {
  uid: number;
  gid: number;
}

/**
 * Postgres refuses to run as root, so root hands it to somebody else: the owner of the data where there is some, so
 * that an account installed later changes nothing; else `postgres`, else `nobody`. Everybody else runs it themselves.
 */
export async function chooseAccount(
  self: Self,
  owner: Self | undefined,
  passwd = '/etc/passwd',
): Promise<Account | undefined> {
  if (self.uid !== 0) {
    requireName();
    return undefined;
  }
  if (owner !== undefined && owner.uid !== 0) return { name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  const accounts = parseAccounts(await readFile(passwd, 'utf8').catch(() => ''));
  const account = ['postgres', 'nobody']
    .map((name) => accounts.find((entry) => entry.name === name && entry.uid !== 0))
    .find((entry) => entry !== undefined);
  if (account !== undefined) return account;
  throw new EmbeddedPostgresError(
    'no-account',
    'Postgres does not run as root, and there is no account postgres or nobody to run it as: start the bot as an ordinary user, or set DATABASE_URL to a Postgres server.',
  );
}

/** Each line is name:password:uid:gid:... A negative uid (macOS) is left out: it cannot be given to `chown`. */
function parseAccounts(text: string): Account[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (name === undefined || !/^\d+$/.test(uid ?? '') || !/^\d+$/.test(gid ?? '')) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}

/** initdb looks its own account up and gives up on a bare number, as containers with random uids have. */
function requireName(): void {
  try {
    userInfo();
  } catch (error) {
    throw new EmbeddedPostgresError(
      'no-account',
      'Postgres does not run under a uid that has no name: add this uid to /etc/passwd, or set DATABASE_URL to a Postgres server.',
      error,
    );
  }
}
