import type { Person } from '../../src/sandbox/slack/index.ts';
import type { AppSetup } from '../helpers/app.ts';
import { confirms, reviews, stages } from '../helpers/send-steps.ts';

/** Reviews and sends the staged files. */
export async function sendStaged(person: Person, files: number, to = 'carl'): Promise<void> {
  await reviews(person, { to });
  await confirms(person, files);
}

export async function sendFile(person: Person, name: string, to: string): Promise<void> {
  await stages(person, [{ name, data: `content of ${name}` }]);
  await sendStaged(person, 1, to);
}

/** Queues Bo's transfer behind Anna's, which runs until the returned fault is released. */
export async function queueBehindAnna({ anna, bo, exchange }: AppSetup) {
  const slow = exchange.addFault({ operation: 'upload', kind: 'delay' });
  await stages(anna, [{ name: 'first.txt', data: 'first' }]);
  await sendStaged(anna, 1);
  await slow.triggered;
  await stages(bo, [{ name: 'second.txt', data: 'second' }]);
  await sendStaged(bo, 1, 'dora');
  await bo.sees('1 transfer ahead of yours.');
  return slow;
}
