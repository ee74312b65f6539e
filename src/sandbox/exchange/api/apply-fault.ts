import type { ServerResponse } from 'node:http';
import { Aborted } from '../../node-http.ts';
import { sendHalf } from '../http/answer.ts';
import { drain } from '../http/request-body.ts';
import type { AppliedFault } from '../state/faults.ts';
import type { ApiCall } from './call.ts';
import { diskFull } from './operations/upload.ts';

export async function applyFault(call: ApiCall, fault: AppliedFault): Promise<void> {
  switch (fault.kind) {
    case 'delay': {
      if (call.operation === 'upload') {
        return fault.hold(() => call.unlessAborted(async () => call.deliver(await call.process(call.body))));
      }
      const spooled = await call.world.files.stage(call.body);
      return fault.hold(async () => call.deliver(await call.process(spooled.open()).finally(spooled.discard)));
    }
    case 'hang':
      call.log('hung', false);
      fault.markApplied();
      return drain(call.body).catch(ignoreAborted);
    case 'hang-after': {
      const { refused } = await call.process(call.body);
      call.log('hung', !refused);
      return;
    }
    case 'reset-before':
      call.reset(false);
      return;
    case 'reset-during': {
      if (call.operation === 'upload') {
        await call.process(firstHalf(call)).catch(ignoreAborted);
        call.reset(false);
        return;
      }
      const { answer, refused } = await call.process(call.body);
      await sendHalf(call.response, answer);
      call.reset(!refused);
      return;
    }
    case 'reset-after': {
      const { refused } = await call.process(call.body);
      call.reset(!refused);
      return;
    }
    case 'process-later': {
      const spooled = await call.world.files.stage(call.body);
      const logged = call.reset(false);
      return fault.hold(async () => {
        const { refused } = await call.process(spooled.open()).finally(spooled.discard);
        logged.processed = !refused;
      });
    }
    case 'wrong-token':
      return call.deliver(await call.process(call.body, { tokenValid: false }));
    case 'disk-full':
      await drain(call.body);
      return call.deliver(call.refuse(diskFull()));
    case 'answer':
      await drain(call.body);
      call.log('answered', false);
      sendFaultAnswer(call.response, fault.answer);
  }
}

/** Aborts after half of the declared length, or after the first chunk if no length is declared. */
async function* firstHalf(call: ApiCall): AsyncGenerator<Buffer> {
  const half = Number(call.request.headers['content-length'] ?? 0) / 2;
  let read = 0;
  for await (const chunk of call.body) {
    read += chunk.length;
    yield chunk;
    if (read >= half) break;
  }
  throw new Aborted();
}

function sendFaultAnswer(
  response: ServerResponse,
  { status = 200, headers = {}, body = '' }: AppliedFault['answer'],
): void {
  const bytes = Buffer.from(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) response.removeHeader(name);
    else response.setHeader(name, value);
  }
  // If the promised length is wrong, the client would wait forever on an open connection.
  const declaredLength = response.getHeader('content-length');
  if (declaredLength !== undefined && Number(declaredLength) !== bytes.length)
    response.setHeader('Connection', 'close');
  response.end(bytes);
}

function ignoreAborted(error: unknown): void {
  if (!(error instanceof Aborted)) throw error;
}
