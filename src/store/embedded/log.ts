/** The part of a pino logger that is used here. */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
}

export const silent: Log = { info: () => undefined, warn: () => undefined };
