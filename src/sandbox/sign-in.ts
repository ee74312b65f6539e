import type { Person } from './slack/index.ts';

/** Opens a page that asks for a sign-in. Returns the URL of the sign-in, the browser's cookie and the page's HTML. */
export async function opensPage(page: string, cookie = ''): Promise<{ address: URL; cookie: string; text: string }> {
  const opened = await fetch(page, { headers: { cookie } });
  const text = await opened.text();
  const [, href = ''] = /href="([^"]+)">Sign in with Slack</.exec(text) ?? [];
  return { address: new URL(href.replaceAll('&#38;', '&')), cookie: cookieOf(opened), text };
}

export function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

/** Signs in on Slack's page, or declines; returns the URL to which Slack redirects. */
export async function signsInAt(address: URL, person: Person, decision = 'allow'): Promise<string> {
  const body = new URLSearchParams({ user: person.id, decision });
  const answer = await fetch(address, { method: 'POST', body, redirect: 'manual' });
  const back = answer.headers.get('location');
  if (back === null) throw new Error(`Slack did not send ${person.name} back: ${await answer.text()}`);
  return back;
}

export const followRedirect = (back: string, cookie: string) =>
  fetch(back, { headers: { cookie }, redirect: 'manual' });

/** Signs in completely as this person; returns the cookie with which the page can be used. */
export async function signIn(page: string, person: Person): Promise<string> {
  const { address, cookie } = await opensPage(page);
  return cookieOf(await followRedirect(await signsInAt(address, person), cookie));
}
