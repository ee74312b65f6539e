import { extensionsOf, isKnown } from '../../../scan/index.ts';
import { safeName } from '../../common/names.ts';
import { isExtensionAllowed } from '../permission.ts';
import type { FileRules } from '../repository.ts';
import { disguisedFile, filesTooLarge, totalTooLarge, typesNotAllowed } from './errors.ts';

const bytesPerMb = 1_000_000;

/** Rejects files that the rules don't allow, by name and size. `expectKindAllowed` checks their content. */
export function expectFilesAllowed(rules: FileRules, files: readonly { name: string; size: number }[]): void {
  const { maxFileMb, maxTotalMb } = rules;
  const wrongType = files.filter(({ name }) => !isExtensionAllowed(rules, extensionOf(name)));
  if (wrongType.length > 0) throw typesNotAllowed(namesOf(wrongType), rules);
  if (maxFileMb !== undefined) {
    const tooLarge = files.filter(({ size }) => size > maxFileMb * bytesPerMb);
    if (tooLarge.length > 0) throw filesTooLarge(namesOf(tooLarge), maxFileMb);
  }
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (maxTotalMb !== undefined && total > maxTotalMb * bytesPerMb) throw totalTooLarge(maxTotalMb);
}

const namesOf = (files: readonly { name: string }[]) => files.map(({ name }) => name);

/** The extension, without the dot, of the name that recipients will see. */
function extensionOf(name: string): string {
  const visibleName = safeName(name).replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  const at = visibleName.lastIndexOf('.');
  return at < 0
    ? ''
    : visibleName
        .slice(at + 1)
        .trim()
        .toLowerCase();
}

/** Whether the content can have the extension of this name. Not for an extension that is missing or unknown. */
export const fitsName = (name: string, kind: string): boolean => extensionsOf(kind).includes(extensionOf(name));

/**
 * Rejects a file that is disguised as another type, such as a program called `report.pdf`. `kind` is what its first bytes
 * show; see `kindOf`. Types of text, such as scripts, can't be told apart.
 */
export async function expectKindAllowed(rules: FileRules, name: string, kind: string): Promise<void> {
  const { fileTypes, extensions } = rules;
  const isFitting = fitsName(name, kind);
  const isUnsigned = kind === 'text' || kind === 'binary';
  if (fileTypes === 'allow') {
    if (isFitting || extensions.includes(kind) || (isUnsigned && !(await isKnown(extensionOf(name))))) return;
    throw disguisedFile(name, isUnsigned ? undefined : kind, extensionOf(name), rules);
  }
  if (fileTypes === 'any' || isUnsigned) return;
  // XML has the same signature in all formats that are built on it.
  const isBlocked = isFitting
    ? kind !== 'xml' && extensions.includes(kind)
    : extensionsOf(kind).some((extension) => extensions.includes(extension));
  if (isBlocked) throw disguisedFile(name, kind, extensionOf(name), rules);
}
