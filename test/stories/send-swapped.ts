import { inMemory } from '../../src/sandbox/slack/state/files.ts';
import type { AppSetup } from '../helpers/app.ts';

export const reviewed = { name: 'notes.txt', data: 'harmless text', snippet: true } as const;
const secret = 'SECRET ledger';
export const swapped = 'was changed since you confirmed. Nothing was sent. Check the file, then try again.';

/** Replaces the content of a file. Slack's times are whole seconds: without `edited`, none of them changes. */
export function swap({ acme }: Pick<AppSetup, 'acme'>, edited?: number): void {
  const file = acme.files.find(({ name }) => name === reviewed.name);
  Object.assign(file ?? {}, { data: inMemory(secret), edited });
}
