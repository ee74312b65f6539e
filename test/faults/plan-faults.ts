import type { Operation, FaultKind as ServiceFaultKind } from '../../src/sandbox/exchange/index.ts';
import type { CallFaultKind, DeliveryFaultKind, DeliveryKind } from '../../src/sandbox/slack/index.ts';
import type { createRandom } from '../helpers/seeded.ts';
import type { CallMoment, FaultSpec, PlannedFault } from './fault-spec.ts';

type Random = ReturnType<typeof createRandom>;

/** Calls around which a crash could lose, repeat or misreport work. Repeated entries are picked more often. */
const criticalCalls: ({ service: Operation } | { slack: string })[] = [
  { service: 'upload' },
  { service: 'receivers_set' },
  { service: 'get_files' },
  { service: 'createdrop' },
  { service: 'createdrop' },
  { service: 'get_history' },
  { service: 'contacts_add' },
  { service: 'contacts_add' },
  { service: 'contacts_read' },
  { service: 'givedrop' },
  { service: 'download' },
  { slack: 'chat.postMessage' },
  { slack: 'chat.postMessage' },
  { slack: 'chat.update' },
  { slack: 'views.update' },
  { slack: 'download' },
  { slack: 'upload' },
  { slack: 'files.completeUploadExternal' },
];

const operations: Operation[] = [
  'index',
  'contacts_read',
  'contacts_add',
  'receivers_set',
  'get_files',
  'remove_file',
  'upload',
  'createdrop',
  'givedrop',
  'get_history',
  'download',
];

const serviceFaults: (ServiceFaultKind | 'refused')[] = [
  'delay',
  'hang',
  'hang-after',
  'reset-before',
  'reset-during',
  'reset-after',
  'process-later',
  'wrong-token',
  'disk-full',
  'refused',
];

const methods = [
  'chat.postMessage',
  'chat.postMessage',
  'chat.update',
  'views.open',
  'views.update',
  'users.info',
  'files.info',
  'conversations.info',
  'download',
  'upload',
  'files.getUploadURLExternal',
  'files.completeUploadExternal',
  'response_url',
];

/** Hangs are rare, because the bot waits ten seconds for a call and two minutes for the bytes of a file. */
const callFaults: CallFaultKind[] = [
  ...(['rate-limited', 'server-error', 'reset-before', 'reset-after', 'cut', 'delay'] as const),
  ...(['rate-limited', 'server-error', 'reset-before', 'reset-after', 'cut', 'delay'] as const),
  'hang',
  'hang-after',
];

const deliveries: DeliveryKind[] = ['slash_command', 'block_actions', 'view_submission', 'view_submission', 'event'];
const deliveryFaults: DeliveryFaultKind[] = ['duplicate', 'duplicate', 'repeat', 'delay', 'unreachable', 'lost-answer'];

const faultKinds = [
  'kill',
  'kill',
  'postgres',
  'service',
  'service',
  'service',
  'slack call',
  'slack delivery',
  'clock',
  'scanner',
];

export function planFaults(random: Random): PlannedFault[] {
  return Array.from({ length: 4 + random.below(5) }, () => ({
    afterMs: random.below(3_500),
    spec: planFault(random, random.pick(faultKinds) as FaultSpec['kind']),
  }));
}

/** Slack doesn't say who is in a channel, or says it late. */
export function planMemberFaults(random: Random): PlannedFault[] {
  return Array.from({ length: random.below(3) }, () => ({
    afterMs: random.below(3_500),
    spec: {
      kind: 'slack call' as const,
      method: random.pick(['conversations.members', 'conversations.info']),
      fault: random.pick(['rate-limited', 'server-error', 'reset-before', 'delay'] as const),
      times: 1 + random.below(3),
    },
  }));
}

function planFault(random: Random, kind: FaultSpec['kind']): FaultSpec {
  switch (kind) {
    case 'kill':
      return planKill(random);
    case 'postgres':
      return { kind, how: random.pick(['killed', 'restarted', 'cut off']), at: planMoment(random, false) };
    case 'service':
      return planServiceFault(random);
    case 'slack call': {
      const method = random.pick(methods);
      const wanted = random.pick(callFaults);
      const isHanging = wanted.startsWith('hang');
      const fault = isHanging && ['upload', 'download'].includes(method) ? 'delay' : wanted;
      return { kind, method, fault, times: isHanging ? 1 : 1 + random.below(2) };
    }
    case 'slack delivery': {
      const delivery = random.pick(deliveries);
      const fault = random.pick(deliveryFaults);
      // Only an event can be delivered twice with different ids.
      return { kind, delivery, fault: fault === 'repeat' && delivery !== 'event' ? 'duplicate' : fault };
    }
    case 'scanner':
      return { kind, mode: random.pick(['closes', 'dies', 'never answers']) };
    case 'clock':
      return {
        kind,
        whose: random.pick(['first', 'second', 'service']),
        ms: random.pick([-3_600_000, -240_000, 240_000, 1_200_000, 3_600_000]),
      };
  }
}

function planKill(random: Random): FaultSpec {
  const at = planMoment(random, random.below(2) === 0);
  // Kill all, because a surviving bot would wait ten seconds for Slack's answer.
  const which =
    at !== undefined && 'slack' in at && at.isAfterEffect ? 'all' : random.pick(['first', 'second', 'all'] as const);
  return { kind: 'kill', which, at };
}

function planMoment(random: Random, isAfterEffect: boolean): CallMoment | undefined {
  return random.below(5) === 0 ? undefined : { ...random.pick(criticalCalls), isAfterEffect };
}

function planServiceFault(random: Random): FaultSpec {
  const wanted = random.pick(serviceFaults);
  const randomOperation = random.below(3) === 0 ? 'createdrop' : random.pick(operations);
  const operation = wanted === 'disk-full' ? 'upload' : randomOperation;
  // The index needs no token.
  const fault = wanted === 'wrong-token' && operation === 'index' ? 'reset-before' : wanted;
  return { kind: 'service', operation, fault, times: 1 + random.below(3) };
}
