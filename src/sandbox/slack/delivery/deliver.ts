import { newId } from '../ids.ts';
import type { Json } from '../model.ts';
import type { Envelope } from '../socket/hub.ts';
import type { Delivery } from '../types.ts';
import type { World } from '../world.ts';
import { postToBot } from './http.ts';
import { addressFor, encode, type Parcel } from './parcel.ts';

/** The result of one attempt. */
export interface Receipt {
  delivery: Delivery;
  /** The bot's answer: an object if it was JSON, else the text; undefined if it was empty. */
  answer: Json | string | undefined;
  /** The bot asked for no retries. */
  noRetry: boolean;
}

interface Attempt {
  retry: number;
  retryReason: string | undefined;
}

const first: Attempt = { retry: 0, retryReason: undefined };

/** Delivers something to the bot once, and waits for the answer as long as Slack does. */
export function deliver(world: World, parcel: Parcel, attempt: Attempt = first): Promise<Receipt> {
  return track(world, strikeOrSend(world, parcel, attempt));
}

function track<T>(world: World, work: Promise<T>): Promise<T> {
  const tracked = work.finally(() => world.inFlight.delete(tracked));
  world.inFlight.add(tracked);
  return tracked;
}

async function strikeOrSend(world: World, parcel: Parcel, attempt: Attempt): Promise<Receipt> {
  const strike = world.faults.takeDelivery({ kind: parcel.kind, event: parcel.event });
  switch (strike?.kind) {
    case undefined:
      return send(world, parcel, attempt);
    case 'duplicate': {
      // Slack doesn't document which of two answers it uses. Here the first one counts, so the bot must handle either.
      const both = [send(world, parcel, attempt), send(world, parcel, attempt)];
      void track(world, Promise.all(both).then(strike.hit));
      return Promise.race(both);
    }
    case 'repeat': {
      const again = { ...parcel, payload: { ...parcel.payload, event_id: newId('Ev') } };
      const [receipt] = await Promise.all([send(world, parcel, attempt), send(world, again, attempt)]);
      strike.hit();
      return receipt;
    }
    case 'delay':
      await strike.held();
      return send(world, parcel, attempt);
    case 'unreachable': {
      const delivery = begin(world, parcel, attempt);
      end(delivery, performance.now(), 'failed', 'connection_failed');
      strike.hit();
      return { delivery, answer: undefined, noRetry: false };
    }
    case 'late-answer': {
      const receipt = await send(world, parcel, attempt);
      await strike.held();
      return receipt;
    }
    case 'lost-answer': {
      const receipt = await send(world, parcel, attempt);
      fail(receipt.delivery, 'connection_failed: the answer was lost');
      strike.hit();
      return { ...receipt, answer: undefined };
    }
  }
}

async function send(world: World, parcel: Parcel, attempt: Attempt): Promise<Receipt> {
  const delivery = begin(world, parcel, attempt);
  const started = performance.now();
  const timeout = AbortSignal.timeout(world.behaviour.ackMs);
  const signal = AbortSignal.any([timeout, world.closed.signal]);
  try {
    const socketMode = world.app.manifest.settings?.socket_mode_enabled === true;
    const { status, answer, noRetry } = socketMode
      ? await overSocket(world, parcel, attempt, signal)
      : await overHttp(world, parcel, attempt, signal);
    delivery.status = status;
    const good = status >= 200 && status < 300;
    end(delivery, started, good ? 'acked' : 'failed', good ? undefined : 'http_error');
    return { delivery, answer: good ? answer : undefined, noRetry };
  } catch (error) {
    if (timeout.aborted) end(delivery, started, 'late', 'http_timeout');
    else end(delivery, started, 'failed', `connection_failed: ${error instanceof Error ? error.message : error}`);
    return { delivery, answer: undefined, noRetry: false };
  }
}

function begin(world: World, { kind, event, teamId, payload }: Parcel, { retry }: Attempt): Delivery {
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

function end(delivery: Delivery, started: number, outcome: Delivery['outcome'], problem: string | undefined): void {
  delivery.ms = Math.round(performance.now() - started);
  delivery.outcome = outcome;
  delivery.problem = problem;
}

/** The answer was in time, but Slack doesn't accept it. */
export function fail(delivery: Delivery, problem: string): void {
  delivery.outcome = 'failed';
  delivery.problem = problem;
}

async function overHttp(world: World, parcel: Parcel, attempt: Attempt, signal: AbortSignal) {
  const url = addressFor(world, parcel);
  if (url === undefined) throw new Error('the bot has no address for this');
  const { signingSecret } = world.app;
  const { status, type, text, noRetry } = await postToBot({
    url,
    ...encode(parcel),
    signingSecret,
    ...attempt,
    signal,
  });
  const answer = text === '' ? undefined : type.startsWith('application/json') ? object(text) : text;
  return { status, answer, noRetry };
}

function object(text: string): Json | string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : text;
  } catch {
    return text;
  }
}

async function overSocket(world: World, { kind, payload }: Parcel, attempt: Attempt, signal: AbortSignal) {
  const types: Partial<Record<Parcel['kind'], Envelope['type']>> = {
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
