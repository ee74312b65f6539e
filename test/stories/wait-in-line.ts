import type { Person } from '../../src/sandbox/slack/index.ts';
import type { AppSetup } from '../helpers/app.ts';
import { checks, confirms, stages } from '../helpers/sending.ts';

export async function sends(person: Person, files: number, to = 'carl'): Promise<void> {
  await checks(person, { to });
  await confirms(person, files);
}

/** Queues Bo's transfer behind Anna's, which runs until the returned fault is released. */
export async function waitInLine({ anna, bo, exchange }: AppSetup) {
  const slow = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await stages(anna, [{ name: 'first.txt', data: 'first' }]);
  await sends(anna, 1);
  await slow.struck;
  await stages(bo, [{ name: 'second.txt', data: 'second' }]);
  await sends(bo, 1, 'dora');
  await bo.sees('1 dispatch ahead of it.');
  return slow;
}
