import type { StoredFile, UploadPage } from '../state/model.ts';
import { humanSize } from '../state/names.ts';
import { type Html, html, untrusted } from './html.ts';
import { date, layout } from './layout.ts';

/** The page on which a contact uploads files. Works without JavaScript. */
export function uploadPage({ requester, page }: { requester: string; page: UploadPage }): Html {
  return layout(
    'Send files',
    html`<h1>Send files</h1>
<p class="dim">from ${untrusted(page.contact.email)} to ${untrusted(requester)}</p>
${page.message !== '' && html`<blockquote dir="auto">${page.message}</blockquote>`}
<form method="post" action="${page.url}" enctype="multipart/form-data">
<label for="file">Choose files, or drop them here</label>
<input type="file" id="file" name="file" multiple required>
<button>Send files</button>
</form>
<p class="dim small">Private link · expires ${date(page.expiresAt)}</p>`,
  );
}

export function thanksPage({
  requester,
  page,
  files,
}: {
  requester: string;
  page: UploadPage;
  files: StoredFile[];
}): Html {
  return layout(
    'Thank you',
    html`<h1>Thank you</h1>
<p class="dim">${untrusted(requester)} has received from you:</p>
<ul class="files">
${files.map(
  (
    file,
  ) => html`<li><span class="name">${untrusted(file.name)}</span> <span class="size">${humanSize(file.bytes)}</span></li>
`,
)}</ul>
<p><a href="${page.url}">Send more</a></p>`,
  );
}
