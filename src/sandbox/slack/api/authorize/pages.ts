import { escapeHtml } from '../../http.ts';
import type { Team, User } from '../../state/model.ts';

interface ConsentOptions {
  name: string;
  people: { team: Team; users: User[] }[];
  required: string[];
  optional: string[];
  action: string;
}

function userChoices(people: ConsentOptions['people']): string {
  const choices = people.flatMap(({ team, users }) =>
    users.map(
      (user) =>
        `<p><label><input type="radio" name="user" value="${user.id}" required> ${escapeHtml(user.name)}, ${escapeHtml(team.name)}</label></p>`,
    ),
  );
  return choices.join('\n');
}

export function signInPage({ name, people, action }: Pick<ConsentOptions, 'name' | 'people' | 'action'>): string {
  return page(
    'Sign in with Slack',
    `<h1>Sign in to ${escapeHtml(name)} with Slack</h1>
<form method="post" action="${escapeHtml(action)}">
<h2>As whom?</h2>
${userChoices(people)}
<p><button name="decision" value="cancel" formnovalidate>Cancel</button>
<button name="decision" value="allow">Allow</button></p>
</form>`,
  );
}

/** Asks who installs, in which workspace and with which scopes. Optional scopes have a checkbox. */
export function consentPage({ name, people, required, optional, action }: ConsentOptions): string {
  const scopes = [
    ...required.map((scope) => `<li>${escapeHtml(scope)}</li>`),
    ...optional.map((scope) => {
      const value = escapeHtml(scope);
      return `<li><label><input type="checkbox" name="scope" value="${value}" checked> ${value} (optional)</label></li>`;
    }),
  ];
  return page(
    `Install ${name}`,
    `<h1>${escapeHtml(name)} is requesting permission</h1>
<form method="post" action="${escapeHtml(action)}">
<ul>${scopes.join('\n')}</ul>
<h2>As whom?</h2>
${userChoices(people)}
<p><button name="decision" value="cancel" formnovalidate>Cancel</button>
<button name="decision" value="allow">Allow</button></p>
</form>`,
  );
}

export function errorPage(code: string): string {
  return page(
    'Something went wrong',
    `<h1>Something went wrong when authorizing this app.</h1><p>${escapeHtml(code)}</p>`,
  );
}

/** Shown for a download without a valid token: status 200, but a page instead of the file. */
export function loginPage(): string {
  return page(
    'Sign in | Slack',
    '<h1>Sign in to your workspace</h1><form><input name="email"><button>Sign in</button></form>',
  );
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body>${content}</body>
</html>
`;
}
