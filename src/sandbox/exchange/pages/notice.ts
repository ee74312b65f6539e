import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

/** One title, one sentence. */
export function noticePage(title: string, words: string): Html {
  return layout(title, html`<h1>${title}</h1>\n<p class="dim">${words}</p>`);
}

/** How the API says no in HTML: much plainer than the pages for people. */
export function refusalPage(words: string): Html {
  return html`<!doctype html>
<html>
<head><title>Error</title></head>
<body><h1>Error</h1><p>${words}</p></body>
</html>
`;
}
