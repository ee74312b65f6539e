import type { Client } from '../model.ts';
import type { Delivery } from '../types.ts';

/** Slack's own words to the person whose act came to nothing. */
export function complain(client: Client, { outcome }: Delivery, what: string): void {
  if (outcome === 'acked') return;
  const error = outcome === 'late' ? 'operation_timeout' : 'dispatch_failed';
  client.notices.push(`${what} failed with the error "${error}"`);
}

export const troubleConnecting = 'We had some trouble connecting. Try again?';
