import type { deliveryKinds } from './kinds.ts';
import type { Json } from './model.ts';

/** One call of the Web API, or an `upload`, `download` or `response_url`. */
export interface Call {
  method: string;
  team: string | undefined;
  at: number;
  /** The raw arguments without the token. */
  arguments: Json;
  ok: boolean;
  error: string | undefined;
  /** 0 if no answer was sent. */
  status: number;
  /** `fault`: a fault was applied. */
  outcome: 'answered' | 'fault';
}

export type DeliveryKind = (typeof deliveryKinds)[number];

/** One attempt to deliver something to the bot. */
export interface Delivery {
  kind: DeliveryKind;
  /** For an event: its type. */
  event: string | undefined;
  team: string;
  at: number;
  /** 0 for the first attempt. */
  retry: number;
  payload: Json;
  /** Milliseconds until the answer or the timeout. */
  ms: number;
  status: number | undefined;
  /**
   * `late`: not answered in time. `failed`: unreachable, refused, answered with something that Slack doesn't accept, or
   * the answer was lost.
   */
  outcome: 'pending' | 'acked' | 'late' | 'failed';
  /** Why it is late or failed. */
  problem: string | undefined;
}
