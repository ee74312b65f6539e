import type { Contact } from './model.ts';
import { Refusal } from './refusal.ts';

// Validation of JSON bodies. Unknown fields are kept as they are.

export function contactList(value: unknown): Contact[] {
  if (!Array.isArray(value)) throw new Refusal(400, 'the body must be an array');
  value.forEach((entry, index) => {
    if (!isContact(entry)) throw new Refusal(400, `entry ${index + 1} is no object with an "email"`);
  });
  return value;
}

export function dispatchParameters(value: unknown): { desttime: number; ddmessage: string } {
  if (!isObject(value)) throw new Refusal(400, 'the body must be an object');
  const { desttime, ddmessage } = value;
  if (typeof desttime !== 'number' || !Number.isFinite(desttime) || desttime < 0) {
    throw new Refusal(400, '"desttime" must be a number, zero or more');
  }
  if (typeof ddmessage !== 'string') throw new Refusal(400, '"ddmessage" must be a string');
  return { desttime, ddmessage };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isContact(value: unknown): value is Contact {
  return isObject(value) && typeof value.email === 'string' && value.email !== '';
}

export function sameEmail(one: Contact, other: Contact): boolean {
  return one.email.toLowerCase() === other.email.toLowerCase();
}
