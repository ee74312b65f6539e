import { actions, type Blocks, button, header, list, note, type Piece } from '../../slack/blocks.ts';

export interface HelpLine {
  command: string;
  usage: string;
  summary: string;
}

/** All commands, with buttons for the most common ones. */
export function helpBlocks(lines: readonly HelpLine[], topic?: string): Blocks {
  const shown = topic === undefined ? lines : lines.filter(({ command }) => command === topic);
  const items = shown.map(({ command, usage, summary }): Piece[] => [
    { code: `/drop ${command}${usage === '' ? '' : ` ${usage}`}` },
    ` ${summary}`,
  ]);
  const quickCommands = ['send', 'inbox', 'request', 'contacts', 'status'].filter((name) =>
    lines.some(({ command }) => command === name),
  );
  return [
    header('Dropline'),
    list(items),
    ...(quickCommands.length === 0 || topic !== undefined
      ? []
      : [actions(...quickCommands.map((name) => button(labelOf(name), `help.run#${name}`, { value: name })))]),
    note("Files are sent through your workspace's file service. Only you can see this."),
  ];
}

const labels: Record<string, string> = {
  send: 'Send files',
  inbox: 'Inbox',
  request: 'Request files',
  contacts: 'Contacts',
  status: 'Status',
};

function labelOf(name: string): string {
  return labels[name] ?? name;
}
