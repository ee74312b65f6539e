import type { User } from '../state/model.ts';
import type { World } from '../state/world.ts';

export interface Page {
  status: number;
  url: string;
  text: string;
}

export interface Consent {
  /** Optional scopes to decline. */
  without?: readonly string[];
  /** Clicks Cancel instead. */
  refuses?: boolean;
}

/**
 * Installs the app like a browser: from the bot's page to the consent page and back. Sends cookies, including secure
 * ones: browsers accept those on loopback addresses.
 */
export async function installByBrowser(world: World, user: User, start: string, consent: Consent): Promise<Page> {
  const cookies = new Map<string, string>();

  async function visit(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  }

  const landing = await visit(start);
  const authorize = landing.headers.get('location') ?? linkTo(await landing.text(), `${world.origin}/oauth/`);
  if (authorize === undefined) throw new Error(`${start} does not link to Slack`);
  const page = await visit(authorize);
  const html = await page.text();
  if (page.status !== 200) return { status: page.status, url: authorize, text: html };
  const answered = await visit(authorize, { method: 'POST', body: decision(html, user, consent) });
  const back = answered.headers.get('location');
  if (back === null) throw new Error(`the consent page answered ${answered.status}: ${await answered.text()}`);
  const end = await visit(back);
  return { status: end.status, url: back, text: await end.text() };
}

/** The form as this person fills it in; only scopes with a checkbox on the page can be declined. */
function decision(page: string, user: User, { without = [], refuses = false }: Consent): URLSearchParams {
  const boxes = [...page.matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope = '']) => scope);
  const unknown = without.filter((scope) => !boxes.includes(scope));
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')} cannot be declined`);
  const form = new URLSearchParams({ user: user.id, decision: refuses ? 'cancel' : 'allow' });
  for (const scope of boxes) if (!without.includes(scope)) form.append('scope', scope);
  return form;
}

function linkTo(html: string, prefix: string): string | undefined {
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
  return links.find((href) => href.startsWith(prefix));
}
