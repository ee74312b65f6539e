import type { Delivery } from '../state/log.ts';
import type { Client } from '../state/model.ts';

/** Shows Slack's own message to the person whose action failed. */
export function showFailure(client: Client, { outcome }: Delivery, subject: string): void {
  if (outcome === 'acked') return;
  const error = outcome === 'late' ? 'operation_timeout' : 'dispatch_failed';
  client.notices.push(`${subject} failed with the error "${error}"`);
}

export const troubleConnecting = 'We had some trouble connecting. Try again?';
