/** What Dropline stores: what, where, how long and who sees it. manifest/operations.md has the same rows; a test compares them. */
export const storedData = `
| credentials and tokens of the service, bot tokens | Postgres, encrypted with \`SECRET_KEY\` | until the workspace disconnects or uninstalls the app | nobody; never shown again, redacted in logs |
| files that people send or download | streamed between Slack and the service; a download of unstated length in a temporary file | until it is passed on | recipients; the person or channel that gets a download; an approver who opens it |
| names, recipients and messages of transfers; contact changes | Postgres, encrypted | 30 days after their end | the sender; admins; approvers, while it needs approval |
| senders and file names in the inbox; who took or finished an item | Postgres, names encrypted | 90 days after they are gone | the people they belong to; admins and auditors in the audit |
| audit (person, action, outcome, details) | Postgres, details encrypted; an entry that was changed there is shown as such, and verify finds those that were removed | as long as the workspace sets, 400 days at first; also after a disconnect | admins and auditors; without a connected account only admins of the Slack workspace |
| log lines (ids of workspaces and people, account, operation, outcome) | wherever the operator sends the log | the operator decides | the operator |
`;

/** How it is deleted, as in manifest/operations.md. */
export const deletion = `Slack keeps what Dropline posts there, and downloaded files, by the workspace's own retention. \`/drop disconnect\`
deletes all of a workspace's data in Dropline except the audit; uninstalling the app deletes that too.`;
