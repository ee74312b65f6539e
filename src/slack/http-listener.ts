import type { IncomingMessage, RequestListener } from 'node:http';
import {
  type CodedError,
  ErrorCode,
  HTTPModuleFunctions,
  type HTTPReceiver,
  type HTTPReceiverOptions,
} from '@slack/bolt';
import { bounds } from '../lib/bounds.ts';
import type { Log } from '../lib/log.ts';
import { isEventRequest } from './unsigned.ts';

/** Wraps Bolt's listener: answers requests that Bolt can't handle, for which it would throw or end the process. */
export function httpListener(receiver: HTTPReceiver, log: Log): RequestListener {
  return async (request, response) => {
    try {
      const isEvent = request.method === 'POST' && isEventRequest(request);
      const status = isEvent ? await refusalOf(request) : undefined;
      if (status !== undefined) return void response.writeHead(status).end();
      receiver.requestListener(request, response);
    } catch (error) {
      // Bolt throws for unknown paths, which anyone can request. That is a 404, not a failure.
      const isUnknown = (error as Partial<CodedError>).code === ErrorCode.HTTPReceiverDeferredRequestError;
      if (!isUnknown) log.error({ err: error }, 'slack request failed');
      const text = isUnknown ? 'There is nothing here.\n' : 'Try again in a moment.\n';
      response.writeHead(isUnknown ? 404 : 500, { 'content-type': 'text/plain' }).end(text);
    }
  };
}

/**
 * Reads the body for Bolt. Resolves with a status if the request must be refused: its body is too large or can't be
 * read, or its JSON isn't an object. Bolt would end the process for a signed request with, for example, `null`.
 */
async function refusalOf(request: IncomingMessage): Promise<400 | 401 | 413 | undefined> {
  const { bufferIncomingMessage, isRawBodyError } = HTTPModuleFunctions;
  try {
    const { rawBody, headers } = await bufferIncomingMessage(request, bounds.slackBodyBytes);
    const isForm = /^application\/x-www-form-urlencoded *(;|$)/i.test(headers['content-type'] ?? '');
    // Bolt would parse a form as JSON if its type has a parameter, like a charset.
    if (isForm) headers['content-type'] = 'application/x-www-form-urlencoded';
    const json = isForm ? new URLSearchParams(rawBody.toString()).get('payload') : rawBody.toString();
    return json === null || json.trimStart().startsWith('{') ? undefined : 400;
  } catch (error) {
    // Bolt's own status. Bolt can't answer itself, because the body can be read only once.
    return isRawBodyError(error) && error.type === 'entity.too.large' ? 413 : 401;
  }
}

/**
 * Refuses a signed payload with a wrong structure, for example a number as its event, for which Bolt throws a
 * TypeError. Other errors are answered by Bolt.
 */
export function malformedPayloadHandler(log: Log): NonNullable<HTTPReceiverOptions['processEventErrorHandler']> {
  return async (failure) => {
    const { error, response } = failure;
    if (!(error instanceof TypeError) || response.headersSent) {
      return HTTPModuleFunctions.defaultProcessEventErrorHandler(failure);
    }
    log.error({ err: error }, 'slack request failed');
    response.writeHead(400).end();
    return true;
  };
}
