import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

/** A page with a title and a message. */
export function noticePage(title: string, message: string): Html {
  return layout(title, html`<h1>${title}</h1>\n<p class="dim">${message}</p>`);
}

/** A refusal of the API in HTML, much plainer than the pages for people. */
export function refusalPage(message: string): Html {
  return html`<!doctype html>
<html>
<head><title>Error</title></head>
<body><h1>Error</h1><p>${message}</p></body>
</html>
`;
}
