/** What the page shows while a person types `/drop`. Slack itself shows only the manifest's hint. */
export const subcommands: Readonly<Record<string, string>> = {
  send: 'Send files to people outside',
  files: 'View files ready to send',
  inbox: "View files you've received",
  request: 'Request files with an upload link',
  contacts: 'Manage contacts',
  recipients: 'Set recipients for your next transfer',
  history: 'View sent transfers',
  status: 'Check connection and activity',
  settings: 'Change settings',
  audit: 'View the audit log',
  connect: 'Connect this workspace to your file service',
  disconnect: 'Disconnect and delete all data except the audit log',
  help: 'Show this help',
};
