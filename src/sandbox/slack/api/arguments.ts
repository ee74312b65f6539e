import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from '../state/model.ts';
import { invalidArguments, SlackRefusal } from './refusal.ts';

/** Raw arguments: strings from a form, any values from JSON. */
export type Arguments = Json;

/** Parses the body by its content type; Slack accepts forms and JSON. */
export function parseArguments(headers: IncomingHttpHeaders, query: string, body: string): Arguments {
  const fromQuery = Object.fromEntries(new URLSearchParams(query));
  if (body === '') return fromQuery;
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type === undefined) throw new SlackRefusal('missing_post_type');
  if (type === 'application/x-www-form-urlencoded') {
    return { ...fromQuery, ...Object.fromEntries(new URLSearchParams(body)) };
  }
  if (type !== 'application/json') throw new SlackRefusal('invalid_post_type');
  const value = parseJson(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new SlackRefusal('invalid_json');
  // Slack ignores a token in a JSON body: it belongs in the header.
  const { token: _, ...otherArguments } = value as Json;
  return { ...fromQuery, ...otherArguments };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Arguments that every method accepts. The SDK adds the workspace to each call. */
const common = ['token', 'team_id'];

/** Refuses unknown arguments, for example misspelt ones. Slack ignores them. */
export function refuseUnknown(args: Arguments, known: readonly string[]): void {
  const unknown = Object.keys(args).filter((name) => !common.includes(name) && !known.includes(name));
  if (unknown.length > 0) throw invalidArguments(...unknown.map((name) => `unexpected argument: ${name}`));
}

export function text(args: Arguments, name: string): string | undefined {
  const value = args[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'object') throw invalidArguments(`must be a string [json-pointer:/${name}]`);
  return String(value);
}

export function requiredText(args: Arguments, name: string): string {
  const value = text(args, name);
  if (value === undefined) throw invalidArguments(`missing required field: ${name}`);
  return value;
}

export function flag(args: Arguments, name: string): boolean | undefined {
  const value = text(args, name);
  if (value === undefined) return undefined;
  if (!['true', 'false', '1', '0'].includes(value)) throw invalidArguments(`must be a boolean [json-pointer:/${name}]`);
  return value === 'true' || value === '1';
}

export function wholeNumber(args: Arguments, name: string): number | undefined {
  const value = text(args, name);
  if (value === undefined) return undefined;
  if (!/^\d{1,15}$/.test(value)) throw invalidArguments(`must be an integer [json-pointer:/${name}]`);
  return Number(value);
}

/** A structured argument: a JSON string in a form, a plain value in JSON. */
export function structure(args: Arguments, name: string, refusal = 'invalid_arguments'): unknown {
  const value = args[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') return value;
  const parsed = parseJson(value);
  if (parsed === undefined) throw new SlackRefusal(refusal);
  return parsed;
}
