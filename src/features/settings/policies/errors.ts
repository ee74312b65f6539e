import { DroplineError } from '../../../lib/errors.ts';

interface TypeRule {
  fileTypes: string;
  extensions: readonly string[];
}

export const typesNotAllowed = (names: readonly string[], rule: TypeRule) => filesNotAllowed(names, ruleText(rule));

export const filesTooLarge = (names: readonly string[], maxMb: number) =>
  filesNotAllowed(names, `The limit in this workspace is ${maxMb} MB per file.`);

function filesNotAllowed(names: readonly string[], reason: string): DroplineError {
  const shownNames = names.slice(0, 5).map((name) => `“${name}”`);
  const others = names.length > 5 ? ` and ${names.length - 5} more` : '';
  const message = `${shownNames.join(', ')}${others} can't be sent. ${reason}`;
  return new DroplineError('not-allowed', message, { field: 'files', names });
}

export const totalTooLarge = (maxMb: number) =>
  new DroplineError(
    'not-allowed',
    `These files are too large together. The limit in this workspace is ${maxMb} MB per transfer.`,
    { field: 'files' },
  );

/**
 * The content of a file isn't allowed, or doesn't have the signature of its extension.
 *
 * @param kind undefined if the content has no signature
 */
export function disguisedFile(name: string, kind: string | undefined, extension: string, rule: TypeRule) {
  const problem = kind === undefined ? `doesn't look like a .${extension} file` : `looks like a .${kind} file`;
  return new DroplineError('not-allowed', `“${name}” ${problem}. ${ruleText(rule)}`, { field: 'files', names: [name] });
}

export const contentChanged = (name: string) =>
  new DroplineError('not-allowed', `The content of “${name}” was changed since the review.`, { names: [name] });

export const contentUnreadable = (name: string, reason: string, cause: unknown) =>
  new DroplineError('file-failed', `“${name}” couldn't be read. ${reason}`, { field: 'files', names: [name], cause });

function ruleText({ fileTypes, extensions }: TypeRule): string {
  const list = extensions.map((extension) => `.${extension}`).join(', ');
  return fileTypes === 'allow'
    ? `This workspace only allows these file types: ${list}.`
    : `This workspace doesn't allow these file types: ${list}.`;
}
