import { z } from 'zod';

/**
 * A kind of job: its name, and the ids that identify one job. A payload holds only ids, so the queue's tables never
 * contain a key, name or message.
 */
export interface JobKind<Ids extends Record<string, string> = Record<string, string>> {
  name: string;
  ids: z.ZodType<Ids>;
  /** The number of attempts after which a failing job is given up. */
  attempts: number;
  slots: SlotKind;
}

/**
 * Which slots a job runs in. `long`: it can take minutes or hours, like a file transfer. `posting`: it mostly waits for
 * Slack's rate limit. `short`: everything else, which people wait for.
 */
export type SlotKind = 'long' | 'short' | 'posting';

const id = z.string().regex(/^[\w:.-]{1,64}$/, 'a job takes ids only');

export function jobKind<const Name extends string>(
  name: string,
  ids: readonly Name[],
  { attempts = 10, slots = 'short' }: { attempts?: number; slots?: SlotKind } = {},
): JobKind<Record<Name, string>> {
  const shape = Object.fromEntries(ids.map((key) => [key, id])) as Record<Name, typeof id>;
  return { name, ids: z.strictObject(shape) as unknown as z.ZodType<Record<Name, string>>, attempts, slots };
}

/** The stored payload. `run` identifies the job for its checkpoints, because the engine can reuse its own id. */
export const jobPayload = z.object({ run: z.uuid(), ids: z.record(z.string(), z.string()) });
export type JobPayload = z.infer<typeof jobPayload>;

/** Passed to a handler in addition to the ids. */
export interface JobContext {
  /** Identifies the job: the same for every attempt. */
  runId: string;
  /** From 1. */
  attempt: number;
  /** Fires when the job must stop, because its worker stops, or the lock of its queue or its worker is lost. */
  signal: AbortSignal;
  /** Rejects if this worker must stop. Call it before each step with side effects; `step` calls it itself. */
  check(): Promise<void>;
  /** Runs a step and records its result, or returns the recorded result if any worker has run it before. */
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
  /** Ends a job that can't be done and notifies the people who wait for it. Retried later if it fails. */
  giveUp(ids: Ids, error: unknown, context: JobContext): Promise<void>;
}

/** Erases the type of the ids, which `kind.ids` restores when a job runs. */
export function handlerOf<Ids extends Record<string, string>>(handler: JobHandler<Ids>): JobHandler {
  return handler as unknown as JobHandler;
}

/** The job failed in a way that a retry would not fix. */
export class PermanentError extends Error {
  override readonly name = 'PermanentError';
}
