import type { Command } from './state.ts';

export interface Completion {
  text: string;
  label: string;
  description: string;
}

/** Commands that start with the typed text, then the subcommands listed in the app's hint. */
export function completionsFor(commands: readonly Command[], typed: string): Completion[] {
  if (!typed.startsWith('/') || typed.includes('\n')) return [];
  return commands.flatMap(({ command, hint, description }) => {
    const hints = hint.split('|').map((word) => word.trim());
    const isList = hints.length > 1;
    if (!typed.startsWith(`${command} `)) {
      const text = `${command} `;
      return command.startsWith(typed) ? [{ text, label: `${command} ${isList ? '' : hint}`.trim(), description }] : [];
    }
    const candidates = hints.map((word) => `${command} ${word}`);
    const matching = candidates.filter((text) => text.startsWith(typed) && (isList || text !== typed));
    return matching.map((text) => ({ text, label: text, description: '' }));
  });
}
