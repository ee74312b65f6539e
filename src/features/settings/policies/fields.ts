import { z } from 'zod';
import { bounds } from '../../../bounds.ts';
import { extensionMissing, extensionsUnused } from './errors.ts';

export const fileTypeRules = ['any', 'allow', 'block'] as const;
export const unscannedRules = ['block', 'note'] as const;

const extension = z.string().regex(new RegExp(`^[a-z0-9_+-]{1,${bounds.extensionChars}}$`), {
  error: ({ input }) => `“${String(input).slice(0, 50)}” isn't a valid file extension, like pdf.`,
});

const megabytes = z.number().min(1).max(1_000_000);

/** What can be sent and received. By default everything is allowed, except files that a scanner couldn't scan. */
export const policiesSchema = z.object({
  /** Whether all extensions are allowed, only `extensions`, or all except these. */
  fileTypes: z.enum(fileTypeRules).default('any'),
  extensions: z
    .array(extension)
    .max(bounds.extensions, `Too many extensions (limit ${bounds.extensions}).`)
    .default([]),
  maxFileMb: megabytes.optional(),
  maxTotalMb: megabytes.optional(),
  /** What happens to a file that couldn't be scanned. Only used if the operator has set up a scanner. */
  unscanned: z.enum(unscannedRules).default('block'),
});
export type Policies = z.infer<typeof policiesSchema>;

/** Names of the fields in error messages and audit entries. */
export const policyTitles: Record<keyof Policies, string> = {
  fileTypes: 'The rule for file types',
  extensions: 'File extensions',
  maxFileMb: 'The largest file',
  maxTotalMb: 'The largest transfer',
  unscanned: "Files that can't be scanned",
};

export const policyNames = Object.keys(policyTitles) as (keyof Policies)[];

/** The policies among the flat fields of all forms. */
export function policiesIn(fields: Partial<Policies>): Partial<Policies> {
  return Object.fromEntries(policyNames.map((name) => [name, fields[name]]));
}

export function expectExtensions({ fileTypes, extensions }: Policies): void {
  if (fileTypes !== 'any' && extensions.length === 0) throw extensionMissing();
  if (fileTypes === 'any' && extensions.length > 0) throw extensionsUnused();
}
