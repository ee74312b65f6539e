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

export const errorBody = (message: string) => `<h1>That did not work</h1><p>${escaped(message)}</p>`;

export function html(body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Dropline</title><style>
body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem;color:#1d1c1d;background:#fff}
h1{font-size:1.4rem;overflow-wrap:anywhere}h2{font-size:1.1rem}input{font:inherit;width:100%;padding:.5rem;margin:.25rem 0 1rem;box-sizing:border-box;border:1px solid #888;border-radius:4px}
button,.button{font:inherit;font-weight:600;padding:.5rem 1rem;border:0;border-radius:4px;background:#1d3c5a;color:#fff}.button{display:inline-block;text-decoration:none}
.problem{border-left:4px solid #b3261e;padding:.25rem .75rem;background:#fbeceb}.warning{border-left:4px solid #b26a00;padding:.25rem .75rem;background:#fdf3e1}.small{font-size:.85rem;color:#555}
@media(prefers-color-scheme:dark){body{color:#eee;background:#1a1d21}a{color:#7ab7ef}.button{color:#fff}.problem{background:#4a1d1a}.warning{background:#443015}.small{color:#aaa}input{background:#222;color:#eee}}
</style><main>${body}</main></html>`;
}
