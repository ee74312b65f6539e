import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Slack's samples and Tightknit's JSON Schema of Block Kit, next to the repository on the maintainers' machines. */
const shared = resolve(import.meta.dirname, '../../../../../shared');

export const sharedIsAbsent = !existsSync(shared);

export interface Sample {
  name: string;
  surface: 'modal' | 'home' | 'message';
  blocks: unknown[];
  /** The other fields of a view. */
  view: Record<string, unknown>;
}

/** The view fields that an app can send. Slack adds all other fields. */
const sendable = ['title', 'submit', 'close', 'private_metadata', 'callback_id'];

export function readSchema(): Record<string, unknown> {
  return JSON.parse(readFileSync(resolve(shared, 'schemas/block-kit/slack-block-kit.schema.json'), 'utf8'));
}

/** All samples with blocks. */
export function readSamples(): Sample[] {
  return ['views', 'payloads', 'web-api-examples'].flatMap((folder) =>
    readdirSync(resolve(shared, 'slack-samples', folder))
      .filter((file) => file.endsWith('.json'))
      .flatMap((file) => {
        const text = readFileSync(resolve(shared, 'slack-samples', folder, file), 'utf8');
        return [...withBlocks(JSON.parse(text), `${folder}/${file}`)];
      }),
  );
}

function* withBlocks(value: unknown, name: string): Iterable<Sample> {
  if (typeof value !== 'object' || value === null) return;
  const { type, blocks, ...rest } = value as Record<string, unknown>;
  if (Array.isArray(blocks)) {
    const view = Object.entries(rest).filter(
      ([key, field]) => sendable.includes(key) && field !== null && field !== '',
    );
    const surface = type === 'modal' || type === 'home' ? type : 'message';
    yield { name, surface, blocks, view: Object.fromEntries(view) };
  }
  for (const [key, field] of Object.entries(value)) yield* withBlocks(field, `${name}/${key}`);
}
