import fc from 'fast-check';
import { inject } from 'vitest';

/**
 * Property tests use the same values in each run, so that a failure is caused by a change and can be repeated.
 * `PROPERTY_SEED=17` tries other values.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });

export { fc };

/** The number of values a property is tried with. The short tier tries a fifth of them. */
export const runs = (count: number) => ({ numRuns: inject('isShort') ? count / 5 : count });

export const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));

/** Names of properties that every object inherits. */
export const inherited = fc.constantFrom('constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf');
