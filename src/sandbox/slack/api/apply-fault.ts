import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, jsonAnswer, send, sendHalf } from '../http.ts';
import type { AppliedFault, CallFaultKind } from '../state/faults.ts';
import type { Json } from '../state/model.ts';

/** The result of a call, for the log and for the caller. */
export interface Outcome {
  answer: Answer;
  team: string | undefined;
  error: string | undefined;
  arguments: Json;
}

/** The steps of a call, which the normal flow and the faults combine. */
export interface Steps {
  /** Processes the call, or refuses it. */
  process(): Promise<Outcome>;
  log(outcome: Outcome | undefined, status: number, error?: string): void;
  /** Processes the call and answers. */
  answer(): Promise<void>;
}

export async function applyFault(
  request: IncomingMessage,
  response: ServerResponse,
  fault: AppliedFault<CallFaultKind>,
  { process, log, answer }: Steps,
): Promise<void> {
  const answerInstead = async (status: number, error: string, headers: Record<string, string> = {}) => {
    request.resume();
    log(undefined, status, error);
    await send(response, jsonAnswer(status, { ok: false, error }, headers));
  };
  const reset = () => request.socket.resetAndDestroy();
  switch (fault.kind) {
    case 'rate-limited':
      await answerInstead(429, 'ratelimited', { 'retry-after': String(fault.retryAfter) });
      break;
    case 'server-error':
      await answerInstead(fault.status, 'internal_error');
      break;
    case 'error':
      await answerInstead(200, fault.error);
      break;
    case 'hang':
      request.resume();
      log(undefined, 0, 'hang');
      break;
    case 'hang-after':
      log(await process(), 0);
      break;
    case 'reset-before':
      log(undefined, 0, 'reset');
      reset();
      break;
    case 'reset-after':
      log(await process(), 0);
      reset();
      break;
    case 'cut': {
      const outcome = await process();
      log(outcome, 0, 'cut');
      await sendHalf(response, outcome.answer);
      break;
    }
    case 'delay':
      await fault.hold();
      await answer();
  }
  fault.markApplied();
}
