import pg from 'pg';

/** The address of a server in a form that can be passed to other processes. */
export interface ServerAddress {
  admin: { host: string; port: number; user: string; database: string } | { connectionString: string };
  /** The owner of new databases. On a server given by TEST_DATABASE_URL, the connecting user. */
  owner?: string;
  template: string;
  /** Databases of this run have names that start with this. */
  prefix: string;
}

export function addressOf({ admin, owner }: ServerAddress, database: string) {
  if ('connectionString' in admin) {
    // `URL` rejects connection strings with a socket and no host.
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

export async function executeAsAdmin(server: ServerAddress, statement: string): Promise<void> {
  await queryAsAdmin(server, statement);
}

export async function queryAsAdmin<Row extends pg.QueryResultRow>(
  { admin }: ServerAddress,
  query: string,
): Promise<Row[]> {
  const client = new pg.Client(admin);
  await client.connect();
  try {
    return (await client.query<Row>(query)).rows;
  } finally {
    await client.end();
  }
}
