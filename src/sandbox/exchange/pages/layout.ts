import { createHash } from 'node:crypto';
import { Html, html } from './html.ts';

const style = `
:root { color-scheme: light dark; --ink: #1d2433; --dim: #626c80; --paper: #fff; --ground: #f3f5f9; --line: #e1e5ee;
  --accent: #2456d6; --soft: #eef3ff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ebf2; --dim: #99a3b8; --paper: #1b202b; --ground: #12151c; --line: #2e3545; --accent: #8fb0ff;
    --soft: #222c44; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 6vh 16px 48px; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
main { max-width: 600px; margin: 0 auto; background: var(--paper); border: 1px solid var(--line); border-radius: 14px;
  padding: 32px; box-shadow: 0 1px 2px #0000000d, 0 12px 32px #0000000f; }
main.wide { max-width: 1080px; }
footer { max-width: 600px; margin: 16px auto 0; color: var(--dim); font-size: 13px; text-align: center; }
h1 { margin: 0 0 6px; font-size: 24px; line-height: 1.25; letter-spacing: -0.01em; }
h2 { margin: 32px 0 8px; font-size: 16px; }
p { margin: 0 0 16px; }
main > :last-child { margin-bottom: 0; }
form { margin: 20px 0; }
a { color: var(--accent); }
.dim { color: var(--dim); }
.small { font-size: 14px; }
bdi { overflow-wrap: anywhere; }
blockquote { margin: 20px 0; padding: 12px 16px; background: var(--soft); border-left: 3px solid var(--accent);
  border-radius: 0 8px 8px 0; white-space: pre-wrap; overflow-wrap: anywhere; }
ul.files { list-style: none; margin: 20px 0; padding: 0; border: 1px solid var(--line); border-radius: 10px; }
ul.files li { display: flex; gap: 16px; align-items: center; padding: 12px 16px; }
ul.files li + li { border-top: 1px solid var(--line); }
ul.files .name { flex: 1; min-width: 0; font-weight: 550; overflow-wrap: anywhere; }
ul.files .size { color: var(--dim); font-size: 14px; white-space: nowrap; font-variant-numeric: tabular-nums; }
.button, button { display: inline-block; padding: 8px 16px; border: 0; border-radius: 8px; background: var(--accent);
  color: var(--paper); font: inherit; font-weight: 600; text-decoration: none; white-space: nowrap; cursor: pointer; }
.button:hover, button:hover { filter: brightness(1.1); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
label { display: block; margin-bottom: 8px; font-weight: 600; }
input[type='file'] { width: 100%; margin-bottom: 20px; padding: 28px 20px; border: 2px dashed var(--line);
  border-radius: 10px; font: inherit; font-size: 15px; color: var(--dim); cursor: pointer; }
input[type='file']:hover { border-color: var(--accent); }
input::file-selector-button { margin-right: 12px; padding: 6px 14px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--soft); color: var(--ink); font: inherit; cursor: pointer; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
th { text-align: left; color: var(--dim); font-weight: 600; white-space: nowrap; }
th, td { padding: 8px 16px 8px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td bdi { overflow-wrap: break-word; }
td.nowrap { white-space: nowrap; }
td.message { max-width: 320px; overflow-wrap: anywhere; }
@media (max-width: 520px) {
  main { padding: 24px 20px; }
  ul.files li { flex-wrap: wrap; gap: 6px 16px; }
  ul.files .name { flex-basis: 100%; }
  ul.files .size { flex: 1; }
}
code { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
`;

const styleDigest = createHash('sha256').update(style).digest('base64');

/** Allows only this style sheet, and forms only to this server. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleDigest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  // A page's URL is its only secret.
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

export function layout(title: string, content: Html, { wide = false } = {}): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${new Html(`<style>${style}</style>`)}
</head>
<body>
<main${wide && html` class="wide"`}>
${content}
</main>
<footer>A sandbox: nothing here has left this computer.</footer>
</body>
</html>
`;
}

// As in Slack: Nov 24, 2026 at 9:30 AM.
const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const times = new Intl.DateTimeFormat('en', { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });

export function date(milliseconds: number): string {
  // A time to live can exceed the range of dates.
  if (Math.abs(milliseconds) > 8.64e15) return 'never';
  return `${days.format(milliseconds)} at ${times.format(milliseconds)} UTC`;
}
