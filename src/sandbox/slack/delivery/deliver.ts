import { newId } from '../state/ids.ts';
import type { Delivery } from '../state/log.ts';
import type { Json } from '../state/model.ts';
import type { Envelope } from '../state/ports.ts';
import type { World } from '../state/world.ts';
import { type BotRequest, encode, urlFor } from './bot-request.ts';
import { postToBot } from './http.ts';

/** The result of one attempt. */
export interface DeliveryResult {
  delivery: Delivery;
  /** The bot's answer: an object if it was JSON, else the text; undefined if there was none, or an HTTP error. */
  answer: Json | string | undefined;
  /** The bot asked for no retries. */
  noRetry: boolean;
}

interface Attempt {
  retry: number;
  retryReason: string | undefined;
}

const first: Attempt = { retry: 0, retryReason: undefined };

/**
 * Makes one attempt to deliver a payload, with its fault if a test has set one. Waits as long as Slack does. Never
 * rejects: a failure is an outcome of the delivery.
 */
export function deliver(world: World, botRequest: BotRequest, attempt: Attempt = first): Promise<DeliveryResult> {
  return track(world, sendWithFault(world, botRequest, attempt));
}

function track<T>(world: World, work: Promise<T>): Promise<T> {
  const tracked = work.finally(() => world.inFlight.delete(tracked));
  world.inFlight.add(tracked);
  return tracked;
}

async function sendWithFault(world: World, botRequest: BotRequest, attempt: Attempt): Promise<DeliveryResult> {
  const fault = world.faults.takeDelivery({ kind: botRequest.kind, event: botRequest.event });
  switch (fault?.kind) {
    case undefined:
      return send(world, botRequest, attempt);
    case 'duplicate': {
      // Slack doesn't document which of two answers it uses. Here the first one counts, so the bot must handle either.
      const duplicates = [send(world, botRequest, attempt), send(world, botRequest, attempt)];
      void track(world, Promise.all(duplicates).then(fault.markApplied));
      return Promise.race(duplicates);
    }
    case 'repeat': {
      const repeated = { ...botRequest, payload: { ...botRequest.payload, event_id: newId('Ev') } };
      const [result] = await Promise.all([send(world, botRequest, attempt), send(world, repeated, attempt)]);
      fault.markApplied();
      return result;
    }
    case 'delay':
      await fault.hold();
      return send(world, botRequest, attempt);
    case 'unreachable': {
      const delivery = startDelivery(world, botRequest, attempt);
      endDelivery(delivery, performance.now(), 'failed', 'connection_failed');
      fault.markApplied();
      return { delivery, answer: undefined, noRetry: false };
    }
    case 'late-answer': {
      const result = await send(world, botRequest, attempt);
      await fault.hold();
      return result;
    }
    case 'lost-answer': {
      const result = await send(world, botRequest, attempt);
      markFailed(result.delivery, 'connection_failed: the answer was lost');
      fault.markApplied();
      return { ...result, answer: undefined };
    }
  }
}

async function send(world: World, botRequest: BotRequest, attempt: Attempt): Promise<DeliveryResult> {
  const delivery = startDelivery(world, botRequest, attempt);
  const started = performance.now();
  const timeout = AbortSignal.timeout(world.behaviour.ackMs);
  const signal = AbortSignal.any([timeout, world.closed.signal]);
  try {
    const socketMode = world.app.manifest.settings?.socket_mode_enabled === true;
    const { status, answer, noRetry } = socketMode
      ? await overSocket(world, botRequest, attempt, signal)
      : await overHttp(world, botRequest, attempt, signal);
    delivery.status = status;
    const isSuccess = status >= 200 && status < 300;
    endDelivery(delivery, started, isSuccess ? 'acked' : 'failed', isSuccess ? undefined : 'http_error');
    return { delivery, answer: isSuccess ? answer : undefined, noRetry };
  } catch (error) {
    if (timeout.aborted) endDelivery(delivery, started, 'late', 'http_timeout');
    else
      endDelivery(delivery, started, 'failed', `connection_failed: ${error instanceof Error ? error.message : error}`);
    return { delivery, answer: undefined, noRetry: false };
  }
}

function startDelivery(world: World, { kind, event, teamId, payload }: BotRequest, { retry }: Attempt): Delivery {
  const delivery: Delivery = {
    kind,
    event,
    team: teamId,
    at: world.clock(),
    retry,
    // A copy: the source objects can change later.
    payload: structuredClone(payload),
    ms: 0,
    status: undefined,
    outcome: 'pending',
    problem: undefined,
  };
  world.deliveries.push(delivery);
  return delivery;
}

function endDelivery(
  delivery: Delivery,
  started: number,
  outcome: Delivery['outcome'],
  problem: string | undefined,
): void {
  delivery.ms = Math.round(performance.now() - started);
  delivery.outcome = outcome;
  delivery.problem = problem;
}

/** Marks a delivery as failed although the bot answered in time: its answer is invalid or was lost. */
export function markFailed(delivery: Delivery, problem: string): void {
  delivery.outcome = 'failed';
  delivery.problem = problem;
}

async function overHttp(world: World, botRequest: BotRequest, attempt: Attempt, signal: AbortSignal) {
  const url = urlFor(world, botRequest);
  if (url === undefined) throw new Error('the bot has no URL for this payload');
  const { signingSecret } = world.app;
  const { status, type, text, noRetry } = await postToBot({
    url,
    ...encode(botRequest),
    signingSecret,
    ...attempt,
    signal,
  });
  const answer = text === '' ? undefined : type.startsWith('application/json') ? parseObject(text) : text;
  return { status, answer, noRetry };
}

function parseObject(text: string): Json | string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : text;
  } catch {
    return text;
  }
}

async function overSocket(world: World, { kind, payload }: BotRequest, attempt: Attempt, signal: AbortSignal) {
  const types: Partial<Record<BotRequest['kind'], Envelope['type']>> = {
    event: 'events_api',
    slash_command: 'slash_commands',
  };
  const envelope: Envelope = {
    type: types[kind] ?? 'interactive',
    payload,
    acceptsResponse: kind !== 'event',
    ...attempt,
  };
  const answer = await world.sockets.deliver(envelope, signal);
  return { status: 200, answer: answer && Object.keys(answer).length > 0 ? answer : undefined, noRetry: false };
}
