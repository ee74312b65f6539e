import { escapeHtml } from '../http.ts';
import type { World } from '../state/world.ts';
import { isPlayable } from './members.ts';

/** The empty page, which the scripts fill. `data-people` lists everyone that the page can act as. */
export function pageHtml(world: World): string {
  const people = [...world.teams.values()].flatMap((team) =>
    [...team.users.values()].filter((user) => isPlayable(user)).map(({ id }) => id),
  );
  return `<!doctype html>
<html lang="en" data-people="${escapeHtml(people.join(' '))}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(world.app.manifest.display_information.name)} sandbox</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
<link rel="stylesheet" href="/page/style.css">
<script type="module" src="/page/main.js"></script>
</head>
<body>
<div id="page"><p class="waiting">One moment …</p></div>
<noscript>This page is drawn by scripts; without them there is nothing to see.</noscript>
</body>
</html>
`;
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#4a154b"/><path d="M16 6c4 6 7 9 7 13a7 7 0 0 1-14 0c0-4 3-7 7-13z" fill="#fff"/></svg>`;
