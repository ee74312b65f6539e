import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { TestPostgres } from '../helpers/postgres.ts';
import { startSlackApp } from '../helpers/slack-app.ts';

export async function prepareSetup(postgres: TestPostgres) {
  const { slack, botToken } = await startSlackApp(undefined);
  const { connectionString } = await postgres.createDatabase({ isEmpty: true });
  const folder = await mkdtemp(join(tmpdir(), 'dropline-setup-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'env');
  const env = { ENV_FILE: file, SLACK_API_URL: slack.apiUrl, DATABASE_URL: connectionString };
  return { env, botToken, folder, file };
}
