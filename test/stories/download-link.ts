import { request } from 'undici';
import { signIn } from '../../src/sandbox/sign-in.ts';
import type { Person } from '../../src/sandbox/slack/index.ts';
import { until } from '../helpers/features.ts';
import { type InboxApp, type InboxAppOptions, setUpInboxApp } from '../helpers/inbox-app.ts';
import type { TestPostgres } from '../helpers/postgres.ts';

/** An app whose downloads arrive as links instead of files. */
export async function setUpLinks(
  postgres: TestPostgres,
  options: InboxAppOptions = {},
): Promise<InboxApp & { linkTo(name: string, person?: Person, channel?: string): Promise<string> }> {
  const app = await setUpInboxApp(postgres, { hasPublicUrl: true, ...options });
  const { bo, changeInbox } = app;
  await changeInbox({ delivery: 'link' });
  return {
    ...app,
    async linkTo(name, person = bo, channel = '#inbox') {
      await person.opens(channel);
      const before = person.opened.length;
      await person.clicks(`Download ${name}`);
      await person.sees('I sent you the link in a direct message.');
      await person.reloads();
      await person.opens('Dropline');
      await person.clicks('Open download page', { near: `Your link to “${name}”` });
      return signInTo((await until(() => person.opened[before], 'the page to be opened')) as string, person);
    },
  };
}

/** The cookie of the browser in which a person has signed in, by link. */
const cookies = new Map<string, string>();

/** Signs in on the page of a link if it asks for that. Afterwards `fetchLink` uses the same browser. */
export async function signInTo(link: string, person: Person): Promise<string> {
  const { body } = await fetchLink(link, 'GET');
  if (String(body).includes('Sign in with Slack')) cookies.set(link, await signIn(link, person));
  return link;
}

export const fetchLink = async (
  url: string,
  method: 'GET' | 'HEAD' | 'POST',
  cookie: string = cookies.get(url) ?? '',
) => {
  const { statusCode, headers, body } = await request(url, { method, headers: { cookie } });
  return { status: statusCode, headers, body: Buffer.from(await body.arrayBuffer()) };
};
