import type { Client } from '../model.ts';
import type { Delivery } from '../types.ts';

/** Shows Slack's own message to the person whose action failed. */
export function complain(client: Client, { outcome }: Delivery, what: string): void {
  if (outcome === 'acked') return;
  const error = outcome === 'late' ? 'operation_timeout' : 'dispatch_failed';
  client.notices.push(`${what} failed with the error "${error}"`);
}

export const troubleConnecting = 'We had some trouble connecting. Try again?';
