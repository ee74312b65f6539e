import { z } from 'zod';

/**
 * A kind of work: its name, and the ids that tell one piece of it from another. A payload holds ids and nothing else, so
 * that no key, name or message ever stands in the queue's tables.
 */
export interface JobKind<Ids extends Record<string, string> = Record<string, string>> {
  name: string;
  ids: z.ZodType<Ids>;
  /** How often it may fail before it is given up. */
  attempts: number;
  /** It may take minutes or hours, such as moving files does. */
  isLong: boolean;
}

const id = z.string().regex(/^[\w:.-]{1,64}$/, 'a job takes ids only');

export function jobKind<const Name extends string>(
  name: string,
  ids: readonly Name[],
  { attempts = 10, isLong = false }: { attempts?: number; isLong?: boolean } = {},
): JobKind<Record<Name, string>> {
  const shape = Object.fromEntries(ids.map((key) => [key, id])) as Record<Name, typeof id>;
  return { name, ids: z.strictObject(shape) as unknown as z.ZodType<Record<Name, string>>, attempts, isLong };
}

/** What stands in the queue. `run` names this piece of work for its checkpoints: the engine's own id may be used again. */
export const jobPayload = z.object({ run: z.uuid(), ids: z.record(z.string(), z.string()) });
export type JobPayload = z.infer<typeof jobPayload>;

/** What a handler is given beside the ids. */
export interface JobContext {
  /** The same for every attempt at the same piece of work. */
  job: string;
  /** From 1. */
  attempt: number;
  /** Fires when the work must stop: the process ends, or the lock of its queue is lost. */
  signal: AbortSignal;
  /** Rejects unless this worker may go on. To be called before each step that counts; `step` does it by itself. */
  check(): Promise<void>;
  /** Does a step and notes its result, or returns what was noted if it has been done before, by whomever. */
  step: Step;
}

export interface Step {
  (name: string, work: () => Promise<void>): Promise<void>;
  <T extends Json>(name: string, work: () => Promise<T>): Promise<T>;
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export interface JobHandler<Ids extends Record<string, string> = Record<string, string>> {
  kind: JobKind<Ids>;
  run(ids: Ids, context: JobContext): Promise<void>;
  /** The end of work that cannot be done: whoever waits for it is told. If that fails, it is tried again later. */
  giveUp(ids: Ids, error: unknown, context: JobContext): Promise<void>;
}

/** Erases the type of the ids, which `kind.ids` brings back when a job is run. */
export function handlerOf<Ids extends Record<string, string>>(handler: JobHandler<Ids>): JobHandler {
  return handler as unknown as JobHandler;
}

/** Trying again would change nothing. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
}
