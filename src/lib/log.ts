import { format } from 'node:util';
import { type DestinationStream, type Logger, pino } from 'pino';
import { bounds } from './bounds.ts';
import { truncate } from './truncate.ts';

/** The part of a pino logger that is used. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const secretFieldName = /^(?!job).*keys?$|token|secret|passw|passphrase|auth|cookie|credential/i;
const secretPatterns: [RegExp, string][] = [
  [/\bxox[a-z]-[\w-]+/g, '[secret]'],
  [/\bxapp-[\w-]+/g, '[secret]'],
  [/\b(Basic|Bearer) +[\w+/=._~-]+/gi, '$1 [secret]'],
  [/(:\/\/[^\s:/@]*):[^\s/]+@/g, '$1:[secret]@'],
  [/\b((?:api|secret)?_?key|csrf-?token|token|password|secret)(["']?\s*[=:]\s*["']?)[^\s"'&,;}]+/gi, '$1$2[secret]'],
  [/\bhttps:\/\/hooks\.slack\.com\/\S+/g, '[secret]'],
];

/** Redacts secrets: by the name of their field at any depth, and by their pattern in any text. */
function redact(value: unknown): unknown {
  if (typeof value === 'string')
    return secretPatterns.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(redact);
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, secretFieldName.test(name) ? '[secret]' : redact(entry)]),
  );
}

/**
 * One line of JSON per event. Every line is redacted when it is written, so it doesn't matter how a secret got into it:
 * as a field, in a message, with an error or its cause, or bound to a child logger. Long lines are truncated, because
 * they can contain external text.
 */
export function createLog(level: string, destination: DestinationStream = process.stdout): Logger {
  const redacting = {
    write: (line: string) =>
      destination.write(`${JSON.stringify(redact(truncate(JSON.parse(line), bounds.logLineChars)))}\n`),
  };
  return pino({ level, base: null, formatters: { level: (label) => ({ level: label }) } }, redacting);
}

/** Logs what libraries print to the console, and Node's warnings, which would be lines that aren't JSON. */
export function captureConsole(log: Pick<Log, 'warn'>): void {
  for (const method of ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const)
    console[method] = (...values: unknown[]) => log.warn({}, format(...values));
  process.removeAllListeners('warning').on('warning', (warning) => log.warn({ err: warning }, 'warning of Node'));
}
