import { open, readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Figure } from './parts/part.ts';

/** Figures by `part: name`, with one value per run. */
export type Figures = Record<string, RecordedFigure>;
export type RecordedFigure = z.infer<typeof recordedFigure>;
export type SavedRun = z.infer<typeof savedRun>;

/** A mistake of the user: the bench prints the message without a stack trace. */
export class UsageError extends Error {}

const recordedFigure = z.object({
  unit: z.string().optional(),
  better: z.enum(['higher', 'lower']),
  values: z.array(z.number()).min(1),
});
const savedRun = z.object({
  version: z.literal(1),
  node: z.string(),
  arch: z.string(),
  date: z.string(),
  runs: z.number(),
  figures: z.record(z.string(), recordedFigure),
});

/** Adds the value of one run. */
export function recordFigure(figures: Figures, part: string, { name, value, ...kind }: Figure): void {
  // Without /proc, memory and CPU time are NaN, which JSON can't hold.
  if (!Number.isFinite(value)) return;
  const key = `${part}: ${name}`;
  figures[key] ??= { ...kind, values: [] };
  figures[key].values.push(value);
}

/** The figures of these parts. */
export function figuresOf(figures: Figures, parts: readonly string[]): Figures {
  return Object.fromEntries(
    Object.entries(figures).filter(([key]) => parts.some((part) => key.startsWith(`${part}: `))),
  );
}

export async function loadRun(file: string): Promise<SavedRun> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`Can't read the saved run ${file}: ${error.message}`);
  });
  const { success, data } = savedRun.safeParse(parseJson(text));
  if (!success) throw new UsageError(`${file} isn't a saved bench run. Create one with --save.`);
  return data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Call before the bench, so that it doesn't run for minutes before saving fails. Creates a missing file and leaves an
 * existing one unchanged.
 */
export async function checkWritable(file: string): Promise<void> {
  try {
    await (await open(file, 'a')).close();
  } catch (error) {
    throw new UsageError(`Can't write ${file}: ${error instanceof Error ? error.message : error}`);
  }
}

export async function saveRun(file: string, { runs, figures }: Pick<SavedRun, 'runs' | 'figures'>): Promise<void> {
  const { version: node, arch } = process;
  const run: SavedRun = { version: 1, node, arch, date: new Date().toISOString(), runs, figures };
  await writeFile(file, `${JSON.stringify(run, undefined, 2)}\n`);
}
