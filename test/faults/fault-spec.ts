import type { Operation, FaultKind as ServiceFaultKind } from '../../src/sandbox/exchange/index.ts';
import type { ScannerBehaviour } from '../../src/sandbox/scanner.ts';
import type { CallFaultKind, DeliveryFaultKind, DeliveryKind } from '../../src/sandbox/slack/index.ts';

/** During the next call to this operation or method: before it takes effect, or after that but before the answer. */
export type CallMoment = ({ service: Operation } | { slack: string }) & { isAfterEffect: boolean };

/** A fault. If `at` is undefined, it starts at once. */
export type FaultSpec =
  | { kind: 'kill'; which: 'first' | 'second' | 'all'; at: CallMoment | undefined }
  | { kind: 'postgres'; how: 'killed' | 'restarted' | 'cut off'; at: CallMoment | undefined }
  | { kind: 'service'; operation: Operation; fault: ServiceFaultKind | 'refused'; times: number }
  | { kind: 'slack call'; method: string; fault: CallFaultKind; times: number }
  | { kind: 'slack delivery'; delivery: DeliveryKind; fault: DeliveryFaultKind }
  | { kind: 'scanner'; mode: ScannerBehaviour['mode'] }
  | { kind: 'clock'; whose: 'first' | 'second' | 'service'; ms: number };

export interface PlannedFault {
  afterMs: number;
  spec: FaultSpec;
}

/** The name under which a fault is counted. */
export function nameOf(spec: FaultSpec): string {
  switch (spec.kind) {
    case 'kill':
      return 'kill -9';
    case 'postgres':
      return `Postgres ${spec.how}`;
    case 'service':
      return `service: ${spec.fault}`;
    case 'slack call':
      return `Slack: ${spec.fault}`;
    case 'slack delivery':
      return `Slack delivers: ${spec.fault}`;
    case 'scanner':
      return `scanner ${spec.mode}`;
    case 'clock':
      return spec.whose === 'service' ? "the service's clock" : "a bot's clock";
  }
}
