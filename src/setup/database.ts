import { randomBytes } from 'node:crypto';
import { databaseConnections, databaseRights, databaseVersion, openCheckedDatabase } from '../check/database.ts';
import { failed, type Result, reasonOf } from '../check/result.ts';
import { secretKeys } from '../config.ts';
import type { Probe } from '../store/index.ts';

export interface CheckedDatabase {
  /** What failed; empty if the database can be used. */
  problems: Result[];
  /** The message of the version check; empty if the database can't be reached. */
  message: string;
  /** Whether the database already has data of Dropline. Then it needs the SECRET_KEY of that data. */
  hasData: boolean;
}

/** Connects to a Postgres and checks whether Dropline can use it. */
export async function checkDatabase(url: string): Promise<CheckedDatabase> {
  const { result, probe, close } = await openCheckedDatabase({ url, secretKeys: [] });
  if (probe === undefined) return { problems: [result], message: '', hasData: false };
  try {
    const results = [];
    for (const check of [databaseVersion, databaseRights, databaseConnections])
      results.push(await check(probe).catch((error) => failed(reasonOf(error), 'Correct DATABASE_URL.')));
    const problems = results.filter(({ status }) => status === 'failed');
    const hasData = problems.length === 0 && (await holdsData(probe));
    return { problems, message: results[0]?.message ?? '', hasData };
  } finally {
    await close();
  }
}

/** Tries to decrypt with a random key, which fails only if there is data. */
const holdsData = async (probe: Probe) => (await probe.canDecrypt([randomBytes(32)])) === false;

/** Whether this SECRET_KEY decrypts the data of the database. */
export async function isKeyOf(url: string, text: string): Promise<boolean> {
  const { probe, close } = await openCheckedDatabase({ url, secretKeys: [] });
  try {
    return (await probe?.canDecrypt(secretKeys.parse(text))) === true;
  } finally {
    await close();
  }
}

export const newSecretKey = () => randomBytes(32).toString('base64');
