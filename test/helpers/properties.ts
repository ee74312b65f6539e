import fc from 'fast-check';
import { inject } from 'vitest';

/**
 * Property tests use the same values in each run, so that a failure is caused by a change and can be repeated.
 * `PROPERTY_SEED=17` tries other values.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });

export { fc };

/** Sets how many values a property is tried with. The short tier tries a fifth of them. */
export const runs = (count: number) => ({ numRuns: inject('isShort') ? count / 5 : count });

/** A unit for `fc.string`. The built-in unit `binary` spends a second or more on a table of all code points. */
export const anyCodePoint = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800));

export const anyText = fc.oneof(fc.string({ unit: anyCodePoint }), fc.string({ unit: 'grapheme' }));

/** Names of properties that every object inherits. */
export const inherited = fc.constantFrom('constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf');
