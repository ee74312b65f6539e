import { ExchangeError, isExchangeError } from './errors.ts';
import { operations } from './operations.ts';
import type { CallOptions, Session } from './session.ts';
import { expectStatus } from './status.ts';

/** Parameters of a dispatch or grant. The API doesn't document the unit of the time to live, so none is assumed. */
export interface DispatchParameters {
  expiresAfter: number;
  message: string;
}

/**
 * Sends all uploaded files to all receivers. Never retried. Once the request was sent, anything but the answer `ok` is
 * `outcome-unknown`.
 */
export function createDispatch(session: Session, parameters: DispatchParameters, options: CallOptions = {}) {
  return commit(session, 'createDispatch', parameters, options);
}

/**
 * Gives upload access. The API doesn't say who gets access; presumably all receivers. Never retried, like a dispatch.
 */
export function grantAccess(session: Session, parameters: DispatchParameters, options: CallOptions = {}) {
  return commit(session, 'grantAccess', parameters, options);
}

async function commit(
  session: Session,
  operation: 'createDispatch' | 'grantAccess',
  { expiresAfter, message }: DispatchParameters,
  options: CallOptions,
): Promise<void> {
  if (!Number.isFinite(expiresAfter) || expiresAfter < 0) {
    throw new ExchangeError('invalid-input', 'The expiry must be a number of 0 or more.', { operation });
  }
  const json = JSON.stringify({ desttime: expiresAfter, ddmessage: message });
  let isSent = false;
  try {
    await session.call(operation, options, async (token, signal) => {
      isSent = true;
      const answer = await session.request({ operation, json, signal }, token);
      await expectStatus(session, answer, 'ok');
    });
  } catch (error) {
    if (!isSent || isExchangeError(error, 'unreachable', 'address-not-allowed')) throw error;
    // Even a plain refusal proves nothing: failures have no documented format, and the service might have acted first.
    const { action } = operations[operation];
    const reason = error instanceof Error ? ` ${error.message}` : '';
    throw new ExchangeError('outcome-unknown', `It's unknown whether the attempt to ${action} succeeded.${reason}`, {
      operation,
      cause: error,
      ...(isExchangeError(error) ? { status: error.status, serviceText: error.serviceText } : {}),
    });
  }
}
