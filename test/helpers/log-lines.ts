/** The fields of log lines by type. People search and alert by them, so a name always has the same type. */
const fieldsByType: Record<string, readonly string[]> = {
  string:
    `about account action alarm by channel code desk edit every file folder how id item job level movedFrom msg operation order outcome
    person problem reason reference request role run scope signal signature step transfer trial turn upload what why worker
    workspace`.split(/\s+/),
  number: `attempt changed connections failures fresh items leftOut ms pid port seconds status time unusable`.split(
    /\s+/,
  ),
  boolean: ['adopted'],
  object: ['audit', 'err', 'rules', 'signedIn', 'subjects', 'workers'],
};
const typeOf = new Map(Object.entries(fieldsByType).flatMap(([type, names]) => names.map((name) => [name, type])));
const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'];

/** Throws unless every line is JSON with a level, a time, a message, and known fields of their type. */
export function checkLogLines(lines: readonly string[]): void {
  for (const line of lines) {
    const problem = problemOf(line);
    if (problem !== undefined) throw new Error(`${problem}: ${line}`);
  }
}

function problemOf(line: string): string | undefined {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(line);
  } catch {
    return 'this log line is not JSON';
  }
  const { level, time, msg, err } = fields as { level?: string; time?: number; msg?: string; err?: object };
  if (!levels.includes(level ?? '') || time === undefined || !msg) return 'this log line lacks its level, time or msg';
  if (err !== undefined && !Object.hasOwn(Object(err), 'stack')) return 'err is not an error';
  // Its other names are those of tables, with numbers.
  const unlisted = msg === 'swept' ? 'number' : undefined;
  const wrong = Object.keys(fields).find((name) => typeof fields[name] !== (typeOf.get(name) ?? unlisted));
  return wrong && `log field ${wrong} is unknown or has another type (log-lines.ts lists them)`;
}
