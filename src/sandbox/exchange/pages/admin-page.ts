import type { Account, Mail } from '../state/model.ts';
import { type Html, html, untrusted } from './html.ts';
import { date, layout } from './layout.ts';

/** For the person who runs the sandbox: the accounts and the emails with their links. */
export function adminPage({ accounts, outbox }: { accounts: Account[]; outbox: Mail[] }): Html {
  return layout(
    'Exchange sandbox',
    html`<h1>Exchange sandbox</h1>
<p class="dim">What the file-exchange service holds right now. <a href="/">Refresh</a></p>
<h2>Accounts</h2>
<div class="scroll"><table>
<tr><th>User</th><th>Key</th><th class="number">Contacts</th><th class="number">Receivers</th>
<th class="number">Uploads</th><th class="number">Drops</th><th class="number">Inbox</th></tr>
${accounts.map(accountRow)}</table></div>
${accounts.length === 0 && html`<p class="dim">None yet.</p>`}
<h2>Outbox</h2>
<p class="dim small">Emails sent, newest first</p>
<div class="scroll"><table>
<tr><th>Sent</th><th>To</th><th>Subject</th><th>Message</th><th>Link</th></tr>
${[...outbox].reverse().map(mailRow)}</table></div>
${outbox.length === 0 && html`<p class="dim">Nothing was sent yet.</p>`}`,
    { wide: true },
  );
}

function accountRow(account: Account): Html {
  const { local, global } = account.contacts;
  return html`<tr><td>${untrusted(account.user)}<br>
<a class="small" href="/state/${encodeURIComponent(account.user)}">View JSON</a></td>
<td><code>${account.apiKey}</code></td><td class="number">${local.length + global.length}</td>
<td class="number">${account.receivers.length}</td><td class="number">${account.uploads.length}</td>
<td class="number">${account.drops.length}</td><td class="number">${account.inbox.length}</td></tr>
`;
}

function mailRow(mail: Mail): Html {
  return html`<tr><td class="nowrap dim">${date(mail.at)}</td><td>${untrusted(mail.to)}</td>
<td>${untrusted(mail.subject)}</td><td class="message" dir="auto">${mail.message}</td>
<td><a href="${mail.link}" rel="noreferrer">Open</a></td></tr>
`;
}
