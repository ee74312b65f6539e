import { ExchangeError } from './errors.ts';
import { type Operation, operations } from './operations.ts';

/** Failures of the system calls that connect. On an open connection, the same codes mean something else. */
const connectErrors: Record<string, string> = {
  ECONNREFUSED: "the service isn't running at this address",
  ENOTFOUND: "the host doesn't exist",
  EAI_AGAIN: "the host name couldn't be resolved",
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the host',
};

/** Codes that only occur during a connection attempt. */
const handshakeErrors: Record<string, string> = {
  UND_ERR_CONNECT_TIMEOUT: 'no connection could be made in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: "its certificate isn't valid yet",
  CERT_REVOKED: 'its certificate was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate isn't from a trusted authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate isn't from a trusted authority",
  UNABLE_TO_GET_ISSUER_CERT: "its certificate isn't from a trusted authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate isn't from a trusted authority",
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
};

/** Codes that mostly occur at the start of a connection, but can also occur later. */
const protocolErrors: Record<string, string> = {
  ERR_SSL_WRONG_VERSION_NUMBER: "it doesn't use https",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "it doesn't use https",
};

const timeoutErrors: Record<string, string> = {
  UND_ERR_HEADERS_TIMEOUT: 'it stopped responding',
  UND_ERR_BODY_TIMEOUT: 'the answer was cut off',
  ETIMEDOUT: 'the connection timed out',
};

/**
 * Turns an error of undici, a socket or TLS into an ExchangeError; an ExchangeError stays as it is. The code
 * `unreachable` is used only if the service can't have seen the request: a dispatch that fails with it did not happen.
 *
 * @param answered whether the headers of an answer had arrived
 */
export function transportError(error: unknown, operation: Operation, answered = false): ExchangeError {
  if (error instanceof ExchangeError) return error;
  const { code, syscall, name, message } = propertiesOf(error);
  // The original error can contain received bytes, and so our own headers if the service echoes them.
  const details = { operation, cause: Object.assign(new Error(message), { code }) };
  const failed = `Couldn't ${operations[operation].action}`;
  const isConnecting = syscall === 'connect' || syscall === 'getaddrinfo';
  const unreachable = isConnecting ? (connectErrors[code] ?? timeoutErrors[code] ?? code) : handshakeErrors[code];
  if (unreachable !== undefined) return new ExchangeError('unreachable', `${failed}: ${unreachable}.`, details);
  const stalled = timeoutErrors[code];
  if (stalled !== undefined) return new ExchangeError('timeout', `${failed}: ${stalled}.`, details);
  if (!answered && (name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW')) {
    return new ExchangeError('not-the-service', `${failed}: the answer isn't valid HTTP.`, details);
  }
  const reason = protocolErrors[code] ?? `the connection was lost${code && ` (${code})`}`;
  return new ExchangeError('cut-short', `${failed}: ${reason}.`, details);
}

function propertiesOf(error: unknown): { code: string; syscall: string; name: string; message: string } {
  if (!(error instanceof Error)) return { code: '', syscall: '', name: '', message: '' };
  // Several addresses were tried and all failed: report the first failure.
  if (error instanceof AggregateError && error.errors.length > 0) return propertiesOf(error.errors[0]);
  const text = (key: 'code' | 'syscall') => {
    const value = (error as Error & { [K in typeof key]?: unknown })[key];
    return typeof value === 'string' ? value : '';
  };
  return { code: text('code'), syscall: text('syscall'), name: error.name, message: error.message };
}
