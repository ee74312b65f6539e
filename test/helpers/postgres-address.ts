import pg from 'pg';

/** Where a server is, in a form that other processes can be told. */
export interface ServerAddress {
  admin: { host: string; port: number; user: string; database: string } | { connectionString: string };
  /** Who is to own the databases; nobody but the given user on a server that is not ours. */
  owner?: string;
  template: string;
}

export function addressOf({ admin, owner }: ServerAddress, database: string) {
  if ('connectionString' in admin) {
    // Not by `URL`, to which the form with a socket and no host is none.
    const connectionString = admin.connectionString.replace(/^([a-z]+:\/\/[^/?#]*)(\/[^?#]*)?/, `$1/${database}`);
    return { connection: { connectionString }, connectionString };
  }
  const { host, port } = admin;
  const user = owner ?? admin.user;
  return {
    connection: { host, port, user, database },
    connectionString: `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`,
  };
}

export async function administer({ admin }: ServerAddress, statement: string): Promise<void> {
  const client = new pg.Client(admin);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
