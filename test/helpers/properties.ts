import fc from 'fast-check';

/**
 * What is tried is the same in each run, so that whoever sees a failure has caused it and can see it again.
 * `PROPERTY_SEED=17` tries other things.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });

export { fc };

export const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));

/** Names that every object has something under. */
export const inherited = fc.constantFrom('constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf');
