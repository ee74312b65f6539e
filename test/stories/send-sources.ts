import { expect } from 'vitest';
import type { AppSetup } from '../helpers/app.ts';

export const plan = { name: 'plan.pdf', data: 'the plan of the whole house' };

/** Expects that nothing was sent and that the service accepted no complete file. */
export function expectNothingSent({ account, exchange }: AppSetup): void {
  expect(account).toMatchObject({ drops: [], uploads: [], receivers: [] });
  const accepted = exchange.calls.filter(({ operation, processed }) => operation === 'upload' && processed);
  expect(accepted).toEqual([]);
}
