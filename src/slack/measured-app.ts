import { App, type AppOptions, type ReceiverEvent } from '@slack/bolt';
import type { Meter } from '../lib/metrics.ts';

/** Slack then shows an error, or sends an event again. */
const slackWaitsMs = 3_000;

/** The kinds of payload, by their `type`. */
const kinds: Record<string, string> = {
  block_actions: 'action',
  block_suggestion: 'suggestion',
  event_callback: 'event',
  message_action: 'shortcut',
  shortcut: 'shortcut',
  view_closed: 'form',
  view_submission: 'form',
};

function kindOf(body: ReceiverEvent['body']): string {
  return 'command' in body ? 'command' : (kinds[String(body.type)] ?? 'other');
}

/** Measures how long Slack waits for each acknowledgement. */
export class MeasuredApp extends App {
  readonly #metrics: Meter | undefined;

  constructor({ metrics, ...options }: AppOptions & { metrics: Meter | undefined }) {
    super(options);
    this.#metrics = metrics;
  }

  override async processEvent(event: ReceiverEvent): Promise<void> {
    const kind = kindOf(event.body);
    const started = performance.now();
    let isOver = false;
    const end = (outcome: 'in time' | 'late') => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      const seconds = (performance.now() - started) / 1000;
      this.#metrics?.observe('dropline_slack_ack_duration_seconds', { kind, outcome }, seconds);
    };
    const timer = setTimeout(end, slackWaitsMs, 'late').unref();
    await super.processEvent({
      ...event,
      async ack(answer) {
        await event.ack(answer);
        end('in time');
      },
    });
  }
}
