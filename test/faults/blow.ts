import type { Operation, FaultKind as ServiceFaultKind } from '../../src/sandbox/exchange/index.ts';
import type { CallFaultKind, DeliveryFaultKind, DeliveryKind } from '../../src/sandbox/slack/index.ts';

/**
 * Strikes during this call, whenever it comes: before it is carried out, or after that but before its answer. Undefined
 * means at once.
 */
export type Moment = ({ service: Operation } | { slack: string }) & { isDone: boolean };

export type Blow =
  | { kind: 'kill'; which: 'first' | 'second' | 'all'; at: Moment | undefined }
  | { kind: 'postgres'; how: 'killed' | 'restarted' | 'cut off'; at: Moment | undefined }
  | { kind: 'service'; operation: Operation; fault: ServiceFaultKind | 'refused'; times: number }
  | { kind: 'slack call'; method: string; fault: CallFaultKind; times: number }
  | { kind: 'slack delivery'; delivery: DeliveryKind; fault: DeliveryFaultKind }
  | { kind: 'clock'; whose: 'first' | 'second' | 'service'; ms: number };

export interface PlannedFault {
  afterMs: number;
  blow: Blow;
}

/** The name under which a blow is counted. */
export function nameOf(blow: Blow): string {
  switch (blow.kind) {
    case 'kill':
      return 'kill -9';
    case 'postgres':
      return `Postgres ${blow.how}`;
    case 'service':
      return `service: ${blow.fault}`;
    case 'slack call':
      return `Slack: ${blow.fault}`;
    case 'slack delivery':
      return `Slack delivers: ${blow.fault}`;
    case 'clock':
      return blow.whose === 'service' ? "the service's clock" : "a bot's clock";
  }
}
