import { type DestinationStream, type Logger, pino } from 'pino';
import { bounds } from './bounds.ts';
import { cutDown } from './cut-down.ts';

export type Log = Logger;

const secretName = /^(?!job).*keys?$|token|secret|passw|passphrase|auth|cookie|credential/i;
const secretLooks: [RegExp, string][] = [
  [/\bxox[a-z]-[\w-]+/g, '[secret]'],
  [/\bxapp-[\w-]+/g, '[secret]'],
  [/\b(Basic|Bearer) +[\w+/=._~-]+/gi, '$1 [secret]'],
  [/(:\/\/[^\s:/@]*):[^\s/]+@/g, '$1:[secret]@'],
  [/\b((?:api|secret)?_?key|csrf-?token|token|password|secret)(["']?\s*[=:]\s*["']?)[^\s"'&,;}]+/gi, '$1$2[secret]'],
  [/\bhttps:\/\/hooks\.slack\.com\/\S+/g, '[secret]'],
];

/** Redacts secrets: by the name of their field at any depth, and by their pattern in any text. */
function scrub(value: unknown): unknown {
  if (typeof value === 'string')
    return secretLooks.reduce((text, [looks, instead]) => text.replace(looks, instead), value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(scrub);
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, secretName.test(name) ? '[secret]' : scrub(entry)]),
  );
}

/**
 * One line of JSON per event. Every line is redacted when it is written, so it doesn't matter how a secret got into it:
 * as a field, in a message, with an error or its cause, or bound to a child. Long lines are cut, because they can
 * contain external text.
 */
export function createLog(level: string, destination: DestinationStream = process.stdout): Log {
  const scrubbed = {
    write: (line: string) =>
      destination.write(`${JSON.stringify(scrub(cutDown(JSON.parse(line), bounds.logLineChars)))}\n`),
  };
  return pino({ level, base: null, formatters: { level: (label) => ({ level: label }) } }, scrubbed);
}
