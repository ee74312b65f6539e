import type { Command } from './state.ts';

export interface Completion {
  text: string;
  label: string;
  description: string;
}

/** Commands that start with the typed text. After a whole command: its subcommands, or its hint if it has none. */
export function completionsFor(commands: readonly Command[], typed: string): Completion[] {
  if (!typed.startsWith('/') || typed.includes('\n')) return [];
  return commands.flatMap(({ command, hint, description, subcommands }) => {
    const hasSubcommands = subcommands.length > 0;
    if (!typed.startsWith(`${command} `)) {
      const text = `${command} `;
      return command.startsWith(typed)
        ? [{ text, label: `${command} ${hasSubcommands ? '' : hint}`.trim(), description }]
        : [];
    }
    const candidates = hasSubcommands ? subcommands : [{ word: hint, description: '' }];
    return candidates
      .map((subcommand) => ({
        text: `${command} ${subcommand.word}`,
        label: `${command} ${subcommand.word}`,
        description: subcommand.description,
      }))
      .filter(({ text }) => text.startsWith(typed) && (hasSubcommands || text !== typed));
  });
}
