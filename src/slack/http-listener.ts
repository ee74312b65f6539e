import type { IncomingMessage, RequestListener } from 'node:http';
import { type CodedError, ErrorCode, HTTPModuleFunctions, type HTTPReceiver } from '@slack/bolt';
import { bounds } from '../bounds.ts';
import type { SlackLog } from './log.ts';

/** Bolt's listener, without its failures on requests that can't be meant for it. */
export function httpListener(receiver: HTTPReceiver, log: SlackLog): RequestListener {
  return async (request, response) => {
    try {
      if (request.method === 'POST' && !(await hasObjectBody(request))) return void response.writeHead(400).end();
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

/** Bolt ends the process if the JSON of a signed request isn't an object but, for example, `null`. */
async function hasObjectBody(request: IncomingMessage): Promise<boolean> {
  try {
    const { rawBody, headers } = await HTTPModuleFunctions.bufferIncomingMessage(request, bounds.slackBodyBytes);
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
    const json = isForm ? new URLSearchParams(rawBody.toString()).get('payload') : rawBody.toString();
    return json === null || json.trimStart().startsWith('{');
  } catch {
    return true; // Bolt reports why it can't read the body
  }
}
