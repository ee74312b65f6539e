import { dayOf } from '../../src/lib/time-zone.ts';

const dayMs = 86_400_000;
/** The time zone of all people in the simulated workspace. */
export const zone = 'Europe/Stockholm';

export const dateIn = (days: number) => dayOf(Date.now() + days * dayMs, zone);
