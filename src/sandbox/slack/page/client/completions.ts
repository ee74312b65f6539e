import type { Command } from './state.ts';

export interface Completion {
  text: string;
  label: string;
  description: string;
}

/** Commands that start with the typed text, then their subcommands. */
export function completionsFor(commands: readonly Command[], typed: string): Completion[] {
  if (!typed.startsWith('/') || typed.includes('\n')) return [];
  return commands.flatMap(({ command, hint, description, subcommands }) => {
    const isList = subcommands.length > 0;
    if (!typed.startsWith(`${command} `)) {
      const text = `${command} `;
      return command.startsWith(typed) ? [{ text, label: `${command} ${isList ? '' : hint}`.trim(), description }] : [];
    }
    const words = isList ? subcommands : [{ word: hint, description: '' }];
    return words
      .map((subcommand) => ({
        text: `${command} ${subcommand.word}`,
        label: `${command} ${subcommand.word}`,
        description: subcommand.description,
      }))
      .filter(({ text }) => text.startsWith(typed) && (isList || text !== typed));
  });
}
