import { bounds } from '../lib/bounds.ts';

/** Limits on time and size. `bounds.service` explains them. */
export type Limits = Record<keyof typeof bounds.service, number>;

export const defaultLimits: Limits = bounds.service;
