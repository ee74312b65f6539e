import { DroplineError } from '../../../errors.ts';
import { extensionsOf } from '../../../scan/index.ts';
import { safeName } from '../../common/names.ts';
import type { Policies } from './fields.ts';

const bytesPerMb = 1_000_000;

/** Rejects files that the policies don't allow, by name and size. Their content is checked while they are uploaded. */
export function expectFilesAllowed(policies: Policies, files: readonly { name: string; size: number }[]): void {
  const { maxFileMb, maxTotalMb } = policies;
  const wrongType = files.filter(({ name }) => !isExtensionAllowed(policies, extensionOf(name)));
  if (wrongType.length > 0) throw refusal(wrongType, typeRule(policies));
  const tooLarge = files.filter(({ size }) => maxFileMb !== undefined && size > maxFileMb * bytesPerMb);
  if (tooLarge.length > 0) throw refusal(tooLarge, `The limit in this workspace is ${maxFileMb} MB per file.`);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (maxTotalMb !== undefined && total > maxTotalMb * bytesPerMb) {
    const message = `These files are too large together. The limit in this workspace is ${maxTotalMb} MB per transfer.`;
    throw new DroplineError('not-allowed', message, { field: 'files' });
  }
}

function refusal(files: readonly { name: string }[], rule: string): DroplineError {
  const names = files.map(({ name }) => name);
  const shown = names.slice(0, 5).map((name) => `“${name}”`);
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  const message = `${shown.join(', ')}${more} can't be sent. ${rule}`;
  return new DroplineError('not-allowed', message, { field: 'files', names });
}

function typeRule({ fileTypes, extensions }: Policies): string {
  const list = extensions.map((extension) => `.${extension}`).join(', ');
  return fileTypes === 'allow'
    ? `This workspace only allows these file types: ${list}.`
    : `This workspace doesn't allow these file types: ${list}.`;
}

/** Without the dot; of the name that recipients will see. */
function extensionOf(name: string): string {
  const visible = safeName(name).replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  const at = visible.lastIndexOf('.');
  return at < 0
    ? ''
    : visible
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
  // If its extension fits its content, the check of its name has decided.
  if (possible.includes(extensionOf(name))) return;
  const isAllowed =
    fileTypes === 'allow' ? extensions.includes(kind) : !possible.some((extension) => extensions.includes(extension));
  if (isAllowed) return;
  const message = `“${name}” looks like a .${kind} file. ${typeRule(policies)}`;
  throw new DroplineError('not-allowed', message, { names: [name] });
}
