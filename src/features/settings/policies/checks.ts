import { extensionsOf } from '../../../scan/index.ts';
import { safeName } from '../../common/names.ts';
import { disguisedFile, filesTooLarge, totalTooLarge, typesNotAllowed } from './errors.ts';
import type { Policies } from './fields.ts';

const bytesPerMb = 1_000_000;

/** Rejects files that the policies don't allow, by name and size. Their content is checked while they are uploaded. */
export function expectFilesAllowed(policies: Policies, files: readonly { name: string; size: number }[]): void {
  const { maxFileMb, maxTotalMb } = policies;
  const wrongType = files.filter(({ name }) => !isExtensionAllowed(policies, extensionOf(name)));
  if (wrongType.length > 0) throw typesNotAllowed(namesOf(wrongType), policies);
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

function isExtensionAllowed({ fileTypes, extensions }: Policies, extension: string): boolean {
  if (fileTypes === 'any') return true;
  return extensions.includes(extension) === (fileTypes === 'allow');
}

/**
 * Rejects a file that is disguised as another type, such as a program called `report.pdf`. `kind` is the extension that
 * belongs to its first bytes; text has none, so scripts aren't recognised.
 */
export function expectKindAllowed(policies: Policies, name: string, kind: string | undefined): void {
  const { fileTypes, extensions } = policies;
  if (fileTypes === 'any' || kind === undefined) return;
  const possible = extensionsOf(kind);
  // If the extension fits the content, `expectFilesAllowed` has already checked it.
  if (possible.includes(extensionOf(name))) return;
  const isAllowed =
    fileTypes === 'allow' ? extensions.includes(kind) : !possible.some((extension) => extensions.includes(extension));
  if (!isAllowed) throw disguisedFile(name, kind, policies);
}
