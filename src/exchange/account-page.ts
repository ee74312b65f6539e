import { expectSuccess, readBody } from './answers.ts';
import { ExchangeError, isExchangeError } from './errors.ts';
import { type Redact, readableText, shorten } from './service-text.ts';
import { findToken, isToken } from './token-page.ts';
import { send, type Transport } from './transport.ts';

/** Loads the account page and reads a new token from it. This also verifies address, account and key. */
export async function fetchToken(transport: Transport, redact: Redact, signal: AbortSignal): Promise<string> {
  const operation = 'signIn';
  const answer = await send(transport, { operation, signal });
  try {
    await expectSuccess(answer, { bytes: transport.limits.statusBytes, ms: transport.limits.callMs }, redact);
  } catch (error) {
    throw isExchangeError(error, 'refused') ? pageRefused(error) : error;
  }
  const page = (await readBody(answer, { bytes: transport.limits.pageBytes, ms: transport.limits.callMs })).toString();
  const token = findToken(page);
  if (token !== undefined && isToken(token)) return token;
  throw new ExchangeError(
    'not-the-service',
    "The account page has no token. This isn't the service's URL, or the service shows this account another page.",
    { operation, status: answer.status, serviceText: shorten(redact(readableText(page))) },
  );
}

function pageRefused(error: ExchangeError): ExchangeError {
  const details = { operation: error.operation, status: error.status, serviceText: error.serviceText, cause: error };
  switch (error.status) {
    case 401:
    case 403:
      return new ExchangeError('credentials-refused', 'Wrong account or API key.', details);
    case 301:
    case 302:
    case 303:
    case 307:
    case 308:
      return new ExchangeError(
        'not-the-service',
        'The service URL redirects to another one. Enter the final URL.',
        details,
      );
    case 404:
    case 410:
      return new ExchangeError('not-the-service', 'No account found at this URL.', details);
    default:
      return error;
  }
}
