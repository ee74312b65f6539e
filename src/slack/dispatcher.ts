import { setTimeout as sleep } from 'node:timers/promises';
import type { App, BlockAction, ViewOutput } from '@slack/bolt';
import { bounds } from '../bounds.ts';
import { createLines } from '../lines.ts';
import { busy, createAdmission } from './admission.ts';
import { type Answering, answerForm } from './answer-form.ts';
import { didYouMean, wordsOf } from './command-text.ts';
import { unescaped } from './echoed.ts';
import { fieldName } from './field-ids.ts';
import { filledIn, hasField } from './form.ts';
import { formAgain } from './form-again.ts';
import { createInteraction, type Interaction, type InteractionOptions } from './interaction.ts';
import { respondAt } from './respond.ts';
import type { Click, Routes, ShortcutMessage, SlackEvent } from './routes.ts';
import { createWork, eventPausesMs, type Working } from './work.ts';

export interface DispatcherOptions extends Answering, Working {
  routes: Required<Routes>;
  command: string;
  /** Clients with a bot's token: one for urgent calls, one for the rest. */
  clientsFor(token: string): Pick<InteractionOptions, 'quick' | 'patient'>;
  newReference(): string;
  /** Logs that Slack refused an answer; a direct message replaces it. */
  unheard(actor: Interaction['actor'], error: unknown): void;
}

interface Delivered {
  context: { botToken?: string; teamId?: string };
  person: string;
  workspace: string | undefined;
}

/**
 * One listener per kind of payload: Bolt runs all that match, and the second one to acknowledge would fail. Each
 * acknowledges first and then works. An unknown name gets an error message.
 */
export function listenWith(app: App, options: DispatcherOptions): void {
  const { routes, command, clientsFor, newReference, track } = options;
  const { interactions, isFull, admit } = createAdmission(options);
  const work = createWork(options, interactions);
  // Bolt has already acknowledged events, and none of them calls the service, so they can wait.
  const events = createLines(bounds.interactionsPerWorkspace);
  /** For typing and for closing a form, where the person doesn't wait for an answer. */
  const workIfIdle = (interaction: Interaction, doing: () => Promise<void>) =>
    isFull(interaction) ? options.logFailure(interaction, busy()) : work(interaction, undefined, doing);

  const interactionOf = ({ context, person, workspace }: Delivered, more: Partial<InteractionOptions>): Interaction => {
    const actor = { workspace: context.teamId ?? workspace ?? '', person, reference: newReference() };
    const unheard = (error: unknown) => options.unheard(actor, error);
    return createInteraction({ ...clientsFor(context.botToken ?? ''), actor, unheard, ...more });
  };

  app.command(command, async ({ ack, body, context }) => {
    const interaction = interactionOf(
      { context, person: body.user_id, workspace: body.team_id },
      {
        trigger: body.trigger_id,
        channel: body.channel_id,
        respond: (response) => respondAt(body.response_url, response),
      },
    );
    if (isFull(interaction)) return ack(busy().message);
    await ack();
    work(interaction, `command ${body.trigger_id}`, () => runCommand(routes, interaction, body.text), {
      interrupted: body.text,
    });
  });

  app.action(/.*/, async ({ ack, body, action, context }) => {
    const { user, team, trigger_id: trigger, view, channel, message, response_url: address } = body as BlockAction;
    // Slack doesn't repeat an ephemeral message: there is none to change, but its response_url works.
    const inMessage = channel !== undefined && message !== undefined;
    const isEphemeral = channel !== undefined && message === undefined;
    const interaction = interactionOf(
      { context, person: user.id, workspace: team?.id },
      {
        trigger,
        channel: channel?.id,
        message: inMessage ? { channel: channel.id, ts: message.ts } : undefined,
        view: unescaped(view as ViewOutput | undefined),
        respond: typeof address === 'string' ? (response) => respondAt(address, response) : undefined,
        isEphemeral,
      },
    );
    const { entered } = routes.forms[interaction.view?.callback_id ?? ''] ?? {};
    if (entered !== undefined && isEntry(action, interaction.view)) {
      await ack();
      const { view: form } = interaction;
      const at = Number('action_ts' in action ? action.action_ts : 0);
      const keep = async () => entered(interaction, filledIn(form), form.private_metadata, at);
      // Not claimed, because a repeat does no harm. Errors are only logged, because the person is typing.
      workIfIdle(interaction, () => keep().catch((error: unknown) => options.logFailure(interaction, error)));
      return;
    }
    if (!(await admit(interaction, ack))) return;
    const name = nameOf('action_id' in action ? action.action_id : '');
    const click: Click = { value: clickedValue(action as unknown as Record<string, unknown>) };
    work(interaction, `action ${trigger}`, async () => {
      // Slack also reports clicks on link buttons; there is nothing to do.
      if (name.startsWith('link.')) return;
      await found(routes.actions[name], name)(interaction, click);
    });
  });

  // With a bare regular expression, Bolt would match only submissions, not closed forms.
  app.view({ callback_id: /.*/ }, async ({ ack, body, view: echoed, context }) => {
    const { user, team, type } = body;
    const view = unescaped(echoed);
    const trigger = 'trigger_id' in body && typeof body.trigger_id === 'string' ? body.trigger_id : undefined;
    const interaction = interactionOf({ context, person: user.id, workspace: team?.id }, { view, trigger });
    if (type === 'view_closed') {
      await ack();
      const { closed } = routes.forms[view.callback_id] ?? {};
      workIfIdle(interaction, async () => closed?.(interaction, view.private_metadata));
      return;
    }
    if (isFull(interaction)) return ack({ response_action: 'update', view: formAgain(view, busy().message) });
    const route = routes.forms[view.callback_id];
    const answering = () =>
      answerForm(options, interaction, view, route, (answer) => (answer === undefined ? ack() : ack(answer)));
    track(interactions.run(interaction.actor.workspace, answering));
  });

  app.options(/.*/, async ({ ack, body, context }) => {
    const {
      user,
      team,
      action_id: action,
      value,
      view,
    } = body as unknown as {
      user: { id: string };
      team?: { id: string } | null;
      action_id: string;
      value: string;
      view?: ViewOutput;
    };
    const interaction = interactionOf({ context, person: user.id, workspace: team?.id }, { view });
    const none = { options: [] };
    if (isFull(interaction)) return ack(none);
    const suggesting = interactions.run(interaction.actor.workspace, async () =>
      found(routes.options[nameOf(action)], action)(interaction, value),
    );
    const answer = await Promise.race([suggesting, sleep(suggestionMs, none, { ref: false })]).catch(
      async (error: unknown) => {
        options.logFailure(interaction, error);
        return none;
      },
    );
    await ack(answer as { options: [] });
  });

  app.shortcut(/.*/, async ({ ack, body, context }) => {
    const { user, team, trigger_id: trigger, callback_id: name } = body;
    const message = body.type === 'message_action' ? shortcutMessage(body) : undefined;
    const interaction = interactionOf(
      { context, person: user.id, workspace: team?.id },
      { trigger, channel: message?.channel },
    );
    if (!(await admit(interaction, ack))) return;
    work(interaction, `shortcut ${trigger}`, async () => found(routes.shortcuts[name], name)(interaction, message));
  });

  for (const name of Object.keys(routes.events)) {
    app.event(name, async ({ event, body, context }) => {
      const sent = event as unknown as SlackEvent;
      const person = typeof sent.user === 'string' ? sent.user : typeof sent.user_id === 'string' ? sent.user_id : '';
      // The bot's own actions come back as events, and Bolt filters only some of them.
      if (person !== '' && person === context.botUserId) return;
      const interaction = interactionOf({ context, person, workspace: body.team_id }, {});
      const happen = async () => found(routes.events[name], name)(interaction, sent, body.event_time * 1000);
      work(interaction, `event ${body.event_id}`, happen, { lines: events, pausesMs: eventPausesMs });
    });
  }
}

/** Slack waits three seconds for suggestions, and the HTTP receiver two and a half, counted from the request. */
const suggestionMs = 2_000;

export async function runCommand(
  { commands }: Required<Routes>,
  interaction: Interaction,
  text: string,
): Promise<void> {
  const [name = 'help', ...words] = wordsOf(text);
  const route = commands[commandNamed(commands, name.toLowerCase())];
  if (route !== undefined) return route.run(interaction, words);
  const meant = didYouMean(name, Object.keys(commands));
  const hint = meant === undefined ? 'Type /drop help to see what there is.' : `Did you mean /drop ${meant}?`;
  await interaction.reply(`There is no /drop ${name}. ${hint}`);
}

/** The command with this alias, or the word itself. */
export function commandNamed(commands: Required<Routes>['commands'], word: string): string {
  return Object.keys(commands).find((name) => commands[name]?.aliases?.includes(word)) ?? word;
}

function found<T>(route: T | undefined, name: string): T {
  if (route === undefined) throw new Error(`nothing answers to ${name}`);
  return route;
}

function nameOf(actionId: string): string {
  return actionId.split('#')[0] ?? '';
}

/** Whether the action comes from a field of the form, not from a button. */
function isEntry(action: object, view: ViewOutput | undefined): view is ViewOutput {
  return view !== undefined && 'block_id' in action && hasField(view, fieldName(String(action.block_id)));
}

/** The value of a click, for any kind of element. */
function clickedValue(action: Record<string, unknown>): string {
  const chosen = action.selected_option as { value?: string } | null | undefined;
  const candidates = [action.value, chosen?.value, action.selected_conversation, action.selected_user];
  return candidates.find((value): value is string => typeof value === 'string') ?? '';
}

function shortcutMessage(body: {
  channel: { id: string };
  message: Record<string, unknown> & { ts: string };
}): ShortcutMessage {
  const files = Array.isArray(body.message.files) ? body.message.files : [];
  return {
    channel: body.channel.id,
    ts: body.message.ts,
    files: files.flatMap((file) => (typeof file?.id === 'string' ? [{ id: file.id, name: file.name ?? null }] : [])),
  };
}
