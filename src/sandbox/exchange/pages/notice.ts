import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

/** A title and one sentence. */
export function noticePage(title: string, words: string): Html {
  return layout(title, html`<h1>${title}</h1>\n<p class="dim">${words}</p>`);
}

/** A refusal of the API in HTML, much plainer than the pages for people. */
export function refusalPage(words: string): Html {
  return html`<!doctype html>
<html>
<head><title>Error</title></head>
<body><h1>Error</h1><p>${words}</p></body>
</html>
`;
}
