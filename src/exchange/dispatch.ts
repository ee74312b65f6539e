import { ExchangeError, isExchangeError } from './errors.ts';
import { operations } from './operations.ts';
import type { CallOptions, Session } from './session.ts';
import { expectStatus } from './status.ts';

/** What goes with a dispatch or a grant. The API does not tell the unit of the time to live, so none is assumed. */
export interface DispatchParameters {
  timeToLive: number;
  message: string;
}

/** Sends everything uploaded to everyone set as a receiver. Never repeated; `outcome-unknown` unless the answer is `ok`. */
export function createDispatch(session: Session, parameters: DispatchParameters, options: CallOptions = {}) {
  return commit(session, 'createDispatch', parameters, options);
}

/** Gives upload access, by our reading to everyone set as a receiver. Never repeated, like a dispatch. */
export function grantAccess(session: Session, parameters: DispatchParameters, options: CallOptions = {}) {
  return commit(session, 'grantAccess', parameters, options);
}

async function commit(
  session: Session,
  operation: 'createDispatch' | 'grantAccess',
  { timeToLive, message }: DispatchParameters,
  options: CallOptions,
): Promise<void> {
  if (!Number.isFinite(timeToLive) || timeToLive < 0) {
    throw new ExchangeError('invalid-input', 'The time to live must be a number from 0 up.', { operation });
  }
  const json = JSON.stringify({ desttime: timeToLive, ddmessage: message });
  let sent = false;
  try {
    await session.call(operation, options, async (token, signal) => {
      sent = true;
      const answer = await session.ask({ operation, json, signal }, token);
      await expectStatus(session, answer, 'ok');
    });
  } catch (error) {
    if (!sent || isExchangeError(error, 'unreachable', 'address-not-allowed')) throw error;
    // Even a plain refusal proves nothing: failures have no documented shape, and the work may have been done before it.
    const { does } = operations[operation];
    const because = error instanceof Error ? ` ${error.message}` : '';
    throw new ExchangeError('outcome-unknown', `Nobody knows whether the attempt to ${does} succeeded.${because}`, {
      operation,
      cause: error,
      ...(isExchangeError(error) ? { status: error.status, said: error.said } : {}),
    });
  }
}
