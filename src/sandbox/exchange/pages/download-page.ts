import type { DownloadPage, Drop } from '../state/model.ts';
import { humanSize } from '../state/names.ts';
import { type Html, html, untrusted } from './html.ts';
import { date, layout } from './layout.ts';

/** The page on which one receiver downloads a dispatch. */
export function downloadPage({ sender, drop, page }: { sender: string; drop: Drop; page: DownloadPage }): Html {
  const total = drop.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const title = drop.files.length === 1 ? 'A file for you' : `${drop.files.length} files for you`;
  return layout(
    title,
    html`<h1>${title}</h1>
<p class="dim">from ${untrusted(sender)} to ${untrusted(page.receiver.email)}</p>
${drop.message !== '' && html`<blockquote dir="auto">${drop.message}</blockquote>`}
<ul class="files">
${drop.files.map(
  (file, index) => html`<li>
<span class="name">${untrusted(file.name)}</span>
<span class="size">${humanSize(file.bytes)}</span>
<a class="button" href="${page.url}/${index}" aria-label="Download ${file.name}">Download</a>
</li>
`,
)}</ul>
${
  drop.files.length > 1 &&
  html`<p><a class="button" href="${page.url}/all">Download all</a> <span class="dim">${humanSize(total)} in total</span></p>
`
}<p class="dim small">Private link · expires ${date(drop.expiresAt)}</p>`,
  );
}
