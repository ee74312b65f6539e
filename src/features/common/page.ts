import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Headers of all Dropline pages: no external assets, no scripts, no frames, no caching. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  // Browsers ignore this header without TLS.
  'strict-transport-security': 'max-age=31536000',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
};

export const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

export const errorBody = (message: string, title = 'Something went wrong') =>
  `<h1>${title}</h1><p>${escaped(message)}</p>`;

/** A complete page under Dropline's name. The heading of the body, which is HTML, is also the page's title. */
/** Answers with a page. `body`: its HTML, without the frame. */
export function sendPage(
  response: ServerResponse,
  status: number,
  body: string,
  headers: OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, { ...pageHeaders, ...headers }).end(html(body));
}

export function html(body: string): string {
  const [, heading = ''] = /<h1>(.*?)<\/h1>/s.exec(body) ?? [];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${heading} · Dropline</title>
<style>${style}</style>
</head>
<body>
<header><span class="logo"></span>Dropline</header>
<main>${body}</main>
</body>
</html>`;
}

/** The logo is drawn with CSS, because the policy above allows no images. */
const style = `
:root{color-scheme:light dark;--ink:#1d1c1d;--dim:#5a6068;--ground:#f3f5f7;--card:#fff;--line:#d5dae0;--field:#7d858f;
--brand:#1d3c5a;--action:#1d4f7c;--link:#175a94;--focus:#1d7fd1;--problem:#b3261e;--problem-ground:#fbeceb;
--warning:#b26a00;--warning-ground:#fdf3e1;--good:#1a7f4b}
@media(prefers-color-scheme:dark){:root{--ink:#e6e8ea;--dim:#a9b0b8;--ground:#14181c;--card:#1d2227;--line:#363d45;
--field:#87909a;--brand:#2d5f8d;--action:#2a6ca6;--link:#7ab7ef;--focus:#7ab7ef;--problem:#f2736b;--problem-ground:#431d1b;
--warning:#e0a23c;--warning-ground:#3b2c13;--good:#4cc283}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;padding:3rem 1rem;color:var(--ink);background:var(--ground);font:16px/1.55 system-ui,sans-serif}
header,main{max-width:34rem;margin:0 auto}
header{display:flex;align-items:center;gap:.6rem;margin-bottom:1rem;font-size:1.15rem;font-weight:700}
.logo{display:grid;place-items:center;width:2rem;height:2rem;border-radius:.5rem;background:var(--brand)}
.logo::before{content:"";width:44%;aspect-ratio:1;border-radius:0 55% 55% 55%;background:#fff;transform:translateY(8%) rotate(45deg)}
main{padding:1.75rem 2rem;border:1px solid var(--line);border-radius:.75rem;background:var(--card)}
main>:first-child{margin-top:0}main>:last-child{margin-bottom:0}
h1{margin:0 0 .75rem;font-size:1.5rem;line-height:1.25}h2{margin:1.75rem 0 .5rem;font-size:1.1rem}
h1,p,b,code{overflow-wrap:anywhere}p{margin:0 0 1rem}ul{padding-left:1.25rem}li+li{margin-top:.4rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:0 0 1rem}dt{color:var(--dim)}dd{margin:0}
a{color:var(--link)}code{padding:.1em .35em;border-radius:.3em;background:var(--ground);font-size:.9em}
label{display:block;font-weight:600}label b{font-weight:700}
input{display:block;width:100%;min-height:2.75rem;margin:.35rem 0 1.25rem;padding:.5rem .75rem;border:1px solid var(--field);
border-radius:.4rem;background:var(--card);color:inherit;font:inherit}
button,.button{display:inline-block;min-height:2.75rem;padding:.6rem 1.4rem;border:1px solid transparent;border-radius:.4rem;
background:var(--action);color:#fff;font:inherit;font-weight:600;line-height:1.4;text-align:center;text-decoration:none;cursor:pointer}
button:hover,.button:hover{filter:brightness(1.12)}form{margin:0 0 1rem}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.problem,.warning{padding:.6rem .9rem;border-left:4px solid var(--problem);border-radius:.25rem;background:var(--problem-ground)}
.warning{border-color:var(--warning);background:var(--warning-ground)}
.status::before{content:"";display:inline-block;width:.65em;height:.65em;margin-right:.5em;border-radius:50%;background:var(--good)}
.status.down::before{background:var(--warning)}
.small{font-size:.875rem;color:var(--dim)}
@media(max-width:30rem){body{padding:1.25rem .75rem}main{padding:1.25rem}button,.button{width:100%}}
`;
