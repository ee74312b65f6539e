import { type Check, child, type Path, refuse, shortened } from './path.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Checks an object as a whole after its fields. The fields can still have the wrong types. */
export type Rule = (fields: Fields, path: Path) => void;

export interface Shape {
  required?: Record<string, Check>;
  optional?: Record<string, Check>;
}

/** An object with all required fields, any of the optional ones, and no others. */
export function object({ required = {}, optional = {} }: Shape, ...rules: Rule[]): Check {
  const checks = new Map([...Object.entries(required), ...Object.entries(optional)]);
  return (value, path) => {
    if (!isFields(value)) return refuse(path, 'must provide an object');
    for (const name of Object.keys(required)) {
      if (!hasField(value, name)) refuse(path, `missing required field: ${name}`);
    }
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      const check = checks.get(name);
      if (check) check(field, child(path, name));
      else refuse(path, `invalid additional property: ${shortened(name)}`);
    }
    for (const rule of rules) rule(value, path);
  };
}

/** An array. Items beyond the limit are skipped, so that the work is bounded too. */
export function list(item: Check, { min = 1, max = Number.POSITIVE_INFINITY } = {}): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return refuse(path, 'must provide an array');
    if (value.length < min) refuse(path, `no fewer than ${min} items allowed`);
    if (value.length > max) refuse(path, `no more than ${max} items allowed`);
    for (const [index, one] of value.slice(0, max).entries()) item(one, child(path, index));
  };
}

/** An object whose `type` selects the check. */
export function byType(kinds: Readonly<Record<string, Check>>): Check {
  return (value, path) => {
    if (!isFields(value)) return refuse(path, 'must provide an object');
    if (!hasField(value, 'type')) return refuse(path, 'missing required field: type');
    const { type } = value;
    if (typeof type !== 'string') return refuse(child(path, 'type'), 'must provide a string');
    const check = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
    if (check) check(value, path);
    else refuse(child(path, 'type'), `unsupported type: ${shortened(type)}`);
  };
}

/** One of the cases of `byType`: an object whose `type` is already checked. */
export function variant({ required, optional = {} }: Shape, ...rules: Rule[]): Check {
  return object({ required: { type: () => {}, ...required }, optional }, ...rules);
}

export function exactlyOneOf(...names: string[]): Rule {
  return (fields, path) => {
    if (names.filter((name) => hasField(fields, name)).length !== 1) {
      refuse(path, `must define exactly one of: ${names.join(', ')}`);
    }
  };
}

export function atLeastOneOf(...names: string[]): Rule {
  return (fields, path) => {
    if (!names.some((name) => hasField(fields, name))) refuse(path, `must define at least one of: ${names.join(', ')}`);
  };
}

/** The list `name` has no duplicates. */
export function noDuplicates(name: string): Rule {
  return (fields, path) => {
    const list = entries(fields[name]);
    if (new Set(list).size !== list.length) refuse(child(path, name), 'items must be unique');
  };
}

/** No two entries of the list `name` have the same `field`. */
export function unique(name: string, field: string): Rule {
  return (fields, path) => {
    const seen = new Set<unknown>();
    for (const [index, entry] of entries(fields[name]).entries()) {
      const value = isFields(entry) ? entry[field] : undefined;
      if (typeof value !== 'string') continue;
      if (seen.has(value)) refuse(child(child(child(path, name), index), field), `duplicate \`${field}\``);
      seen.add(value);
    }
  };
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An undefined field counts as missing, because JSON can't contain one. */
export function hasField(fields: Fields, name: string): boolean {
  return Object.hasOwn(fields, name) && fields[name] !== undefined;
}

/** The entries of a list; empty for any other value. */
export function entries(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
