/** The database can't be used. Only the operator can fix that. */
export class DatabaseProblem extends Error {
  override readonly name = 'DatabaseProblem';
  readonly problem: string;
  readonly fix: string;

  constructor(problem: string, fix: string, options?: ErrorOptions) {
    super(`${problem}. ${fix}`, options);
    this.problem = problem;
    this.fix = fix;
  }
}

const certificateFix =
  'Name the certificate of its authority with sslrootcert=/path/ca.pem in DATABASE_URL. ' +
  'sslmode=no-verify connects without checking the certificate.';

/**
 * Fixes by the error code of Node or Postgres, or by the message of an error without a code. The first match counts.
 */
const fixes: [RegExp, string][] = [
  [/ECONNREFUSED|connect ENOENT/, 'Start Postgres, or correct the host and port in DATABASE_URL.'],
  [/ENOTFOUND|EAI_AGAIN/, 'Correct the host in DATABASE_URL, or the DNS of this machine.'],
  [
    /28P01|client password must be/,
    'Correct the user and password in DATABASE_URL. Signs such as @ or # in a password are written as %40 or %23.',
  ],
  [/no encryption/, 'Add sslmode=verify-full to DATABASE_URL, or allow connections without TLS in pg_hba.conf.'],
  [/28000/, 'Allow this user to connect in pg_hba.conf, or correct the user in DATABASE_URL.'],
  [/3D000/, 'Create the database (createdb), or correct its name in DATABASE_URL.'],
  [/08P01/, 'Correct the user, password and database in DATABASE_URL, or the settings of the pooler.'],
  [/25006/, 'Connect to the primary server: this one is read-only.'],
  [/42704/, 'Use Postgres 14 or later.'],
  [/42501/, 'Give this user more rights: npm run check names the statements.'],
  [/53300/, 'Raise max_connections, or end other programs.'],
  [/57P03/, 'Wait until Postgres has started, then try again.'],
  [/does not support SSL/, 'Turn on TLS in Postgres (ssl = on), or remove sslmode from DATABASE_URL.'],
  [/open (ENOENT|EACCES)|EISDIR|PEM/, 'Correct the files that sslrootcert, sslcert or sslkey in DATABASE_URL name.'],
  [/ALTNAME/, 'Use the host name of the certificate in DATABASE_URL.'],
  [/CERT|SELF_SIGNED|UNABLE_TO/, certificateFix],
  [
    /57P01|57P02|ECONNRESET|EPIPE|terminated unexpectedly|connection error/,
    'Check that Postgres is running, then try again.',
  ],
  // The last one, because messages with a code can name a timeout as well.
  [
    /ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|timeout/,
    'Open the way to that host in the firewall, or correct the host and port in DATABASE_URL.',
  ],
];

/** Explains why the database can't be used. Returns a DatabaseProblem as it is. */
export function explainDatabaseError(error: unknown): DatabaseProblem {
  if (error instanceof DatabaseProblem) return error;
  // If a host has several addresses, each has its own error.
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const { code = '', syscall = '', message = String(cause) } = cause as Partial<NodeJS.ErrnoException>;
  const text = `${syscall} ${code} ${message}`;
  const fix = fixes.find(([pattern]) => pattern.test(text))?.[1] ?? 'Correct DATABASE_URL.';
  return new DatabaseProblem(`The database can't be used: ${message}`, fix, { cause: error });
}
