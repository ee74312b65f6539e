import { request } from 'undici';
import { until } from '../helpers/features.ts';
import { type InboxApp, type InboxAppOptions, setUpInboxApp } from '../helpers/inbox-app.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

/** An app whose downloads arrive as links instead of files. */
export async function setUpLinks(
  postgres: TestPostgres,
  options: InboxAppOptions = {},
): Promise<InboxApp & { linkTo(name: string): Promise<string> }> {
  const app = await setUpInboxApp(postgres, { hasPublicUrl: true, ...options });
  const { bo, changeSettings } = app;
  await changeSettings({ delivery: 'link' });
  return {
    ...app,
    async linkTo(name) {
      await bo.opens('#inbox');
      const before = bo.opened.length;
      await bo.clicks(`Download ${name}`);
      await bo.sees('I sent you the link in a direct message.');
      await bo.reloads();
      await bo.opens('Dropline');
      await bo.clicks('Open download page', { near: `Your link to “${name}”` });
      return (await until(() => bo.opened[before], 'the page to be opened')) as string;
    },
  };
}

export const fetchLink = async (url: string, method: 'GET' | 'HEAD' | 'POST') => {
  const { statusCode, headers, body } = await request(url, { method });
  return { status: statusCode, headers, body: Buffer.from(await body.arrayBuffer()) };
};
