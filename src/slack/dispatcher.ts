import { setTimeout as sleep } from 'node:timers/promises';
import type { App, BlockAction, ViewOutput } from '@slack/bolt';
import { bounds } from '../lib/bounds.ts';
import { createLimiter } from '../lib/limiter.ts';
import { type Admission, createAdmission } from './admission.ts';
import { answerForm, type FormDependencies } from './answer-form.ts';
import { actions, button, section } from './blocks.ts';
import { didYouMean, wordsOf } from './command-text.ts';
import { splitDeskKey, stamped } from './desk-key.ts';
import { fieldName } from './field-ids.ts';
import { filledIn, hasField } from './form.ts';
import { createInteraction, type Interaction, type InteractionOptions } from './interaction.ts';
import { limits, truncateText } from './limits.ts';
import { filesOfMessage } from './message-files.ts';
import { formWithError } from './rebuilt-form.ts';
import { respondAt } from './respond.ts';
import type { Click, FormRoute, Routes, ShortcutMessage, SlackEvent } from './routes.ts';
import { unescaped } from './unescape.ts';
import { oneLine } from './words.ts';
import { createWork, eventPausesMs, type Run, type WorkDependencies } from './work.ts';

export interface DispatcherOptions extends FormDependencies, WorkDependencies {
  routes: Required<Routes>;
  command: string;
  clientsFor(token: string): Pick<InteractionOptions, 'triggers' | 'retrying'>;
  newReference(): string;
  /** Logs that Slack refused a request to the response_url. */
  onAnswerRefused(actor: Interaction['actor'], error: unknown): void;
}

/** What the listeners of all kinds of payload share. */
interface Dispatcher {
  options: DispatcherOptions;
  admission: Admission;
  work: ReturnType<typeof createWork>;
  interactionOf(origin: Origin, extra?: Partial<InteractionOptions>): Interaction;
  /** For typing in a form and closing it: if the person or the workspace is busy, this only logs an error. */
  workUnlessFull(interaction: Interaction, run: () => Promise<void>): void;
}

type EnteredRoute = NonNullable<FormRoute['entered']>;

interface Origin {
  context: { botToken?: string; teamId?: string };
  person: string;
  workspace: string | undefined;
}

/**
 * Registers one listener per kind of payload: Bolt runs all listeners that match, and acknowledging twice fails.
 * Listeners acknowledge first and then work, except for submitted forms and suggestions: their acknowledgement is the
 * answer. If a command, click, form or shortcut has no route, the person gets an error message.
 */
export function registerListeners(app: App, options: DispatcherOptions): void {
  const { clientsFor, newReference, logFailure } = options;
  const admission = createAdmission(options);
  const work = createWork(options, admission.run);
  const dispatcher: Dispatcher = {
    options,
    admission,
    work,
    interactionOf({ context, person, workspace }, extra = {}) {
      const actor = { workspace: context.teamId ?? workspace ?? '', person, reference: newReference() };
      const onAnswerRefused = (error: unknown) => options.onAnswerRefused(actor, error);
      return createInteraction({ ...clientsFor(context.botToken ?? ''), actor, onAnswerRefused, ...extra });
    },
    workUnlessFull(interaction, run) {
      const refusal = admission.refusalOf(interaction);
      if (refusal === undefined) work(interaction, undefined, run);
      else logFailure(interaction, refusal);
    },
  };
  listenToCommands(app, dispatcher);
  listenToActions(app, dispatcher);
  listenToForms(app, dispatcher);
  listenToSuggestions(app, dispatcher);
  listenToShortcuts(app, dispatcher);
  listenToEvents(app, dispatcher);
}

function listenToCommands(app: App, { options, admission, work, interactionOf }: Dispatcher): void {
  app.command(options.command, async ({ ack, body, context }) => {
    const interaction = interactionOf(
      { context, person: body.user_id, workspace: body.team_id },
      {
        trigger: body.trigger_id,
        channel: body.channel_id,
        respond: (response) => respondAt(body.response_url, response),
      },
    );
    const refusal = admission.refusalOf(interaction);
    if (refusal !== undefined) return ack(refusal.message);
    await ack();
    const run = async () => {
      await options.resolveDesk(interaction);
      await runCommand(options.routes, interaction, body.text);
    };
    work(interaction, `command ${body.trigger_id}`, run, { interrupted: body.text });
  });
}

/** Clicks, and the entries of form fields with `reportsEntries`. */
function listenToActions(app: App, { options, admission, work, interactionOf, workUnlessFull }: Dispatcher): void {
  const { routes, logFailure } = options;

  /** Not claimed, because a repeat does no harm. Errors are only logged, because the person is typing. */
  function saveEntry(interaction: Interaction, form: ViewOutput, action: object, entered: EnteredRoute): void {
    const at = Number('action_ts' in action ? action.action_ts : 0);
    const name = fieldName(String('block_id' in action ? action.block_id : ''));
    const save = async () => {
      await options.resolveDesk(interaction);
      await entered(interaction, filledIn(form), form.private_metadata, at, name);
    };
    workUnlessFull(interaction, () => save().catch((error: unknown) => logFailure(interaction, error)));
  }

  app.action(/.*/, async ({ ack, body, action, context }) => {
    const { user, team, trigger_id: trigger, view, channel, message, response_url: address } = body as BlockAction;
    // For an ephemeral message, Slack sends no `message`. Such a message can't be updated, but its response_url works.
    const isInMessage = channel !== undefined && message !== undefined;
    const isEphemeral = channel !== undefined && message === undefined;
    const clicked = splitDeskKey(clickedValue(action as unknown as Record<string, unknown>));
    const interaction = interactionOf(
      { context, person: user.id, workspace: team?.id },
      {
        trigger,
        channel: channel?.id,
        message: isInMessage ? { channel: channel.id, ts: message.ts, threadTs: message.thread_ts } : undefined,
        view: view && readView(view as ViewOutput),
        desk: clicked.desk ?? deskIn(view as ViewOutput | undefined),
        respond: typeof address === 'string' ? (response) => respondAt(address, response) : undefined,
        isEphemeral,
      },
    );
    const { entered } = routes.forms[interaction.view?.callback_id ?? ''] ?? {};
    if (entered !== undefined && isEntry(action, interaction.view)) {
      await ack();
      saveEntry(interaction, interaction.view, action, entered);
      return;
    }
    if (!(await admission.admit(interaction, ack))) return;
    const name = nameOf('action_id' in action ? action.action_id : '');
    const click: Click = { value: clicked.text };
    work(interaction, `action ${trigger}`, async () => {
      // Slack also reports clicks on link buttons; there is nothing to do.
      if (name.startsWith('link.')) return;
      await options.resolveDesk(interaction, click.value);
      await expectRoute(routes.actions[name], name)(interaction, click);
    });
  });
}

/** Submitted and closed forms. */
function listenToForms(app: App, { options, admission, interactionOf, workUnlessFull }: Dispatcher): void {
  const { routes, track } = options;
  // With a bare regular expression, Bolt would match only submissions, not closed forms.
  app.view({ callback_id: /.*/ }, async ({ ack, body, view: echoed, context }) => {
    const { user, team, type } = body;
    const view = readView(echoed);
    const route = routes.forms[view.callback_id];
    const trigger = 'trigger_id' in body && typeof body.trigger_id === 'string' ? body.trigger_id : undefined;
    const desk = deskIn(echoed);
    const interaction = interactionOf({ context, person: user.id, workspace: team?.id }, { view, desk, trigger });
    if (type === 'view_closed') {
      await ack();
      workUnlessFull(interaction, async () => {
        await options.resolveDesk(interaction);
        await route?.closed?.(interaction, view.private_metadata);
      });
      return;
    }
    const refusal = admission.refusalOf(interaction);
    if (refusal !== undefined)
      return ack({ response_action: 'update', view: stamped(formWithError(view, refusal.message), desk) });
    const answering = () =>
      answerForm(options, interaction, view, route, (answer) => (answer === undefined ? ack() : ack(answer)));
    track(admission.run(interaction, answering).catch((error: unknown) => options.fail(interaction, error)));
  });
}

/** Slack waits three seconds for suggestions, and Bolt's HTTP receiver waits two and a half. */
const suggestionTimeoutMs = 2_000;

interface SuggestionRequest {
  user: { id: string };
  team?: { id: string } | null;
  action_id: string;
  value: string;
  view?: ViewOutput;
}

function listenToSuggestions(app: App, { options, interactionOf }: Dispatcher): void {
  // Counted separately: while the service is slow, those that Slack no longer waits for must not block the form's button.
  const admission = createAdmission(options);
  const noSuggestions = { options: [] };
  app.options(/.*/, async ({ ack, body, context }) => {
    const { user, team, action_id: action, value, view } = body as unknown as SuggestionRequest;
    const origin = { context, person: user.id, workspace: team?.id };
    const interaction = interactionOf(origin, { view: view && readView(view), desk: deskIn(view) });
    if (admission.refusalOf(interaction) !== undefined) return ack(noSuggestions);
    const suggesting = admission.run(interaction, async () => {
      await options.resolveDesk(interaction);
      return expectRoute(options.routes.options[nameOf(action)], action)(interaction, value);
    });
    const answer = await Promise.race([suggesting, sleep(suggestionTimeoutMs, noSuggestions, { ref: false })]).catch(
      (error: unknown) => {
        options.logFailure(interaction, error);
        return noSuggestions;
      },
    );
    await ack(answer as { options: [] });
  });
}

function listenToShortcuts(app: App, { options, admission, work, interactionOf }: Dispatcher): void {
  app.shortcut(/.*/, async ({ ack, body, context }) => {
    const { user, team, trigger_id: trigger, callback_id: name } = body;
    const message = body.type === 'message_action' ? shortcutMessage(body) : undefined;
    const interaction = interactionOf(
      { context, person: user.id, workspace: team?.id },
      { trigger, channel: message?.channel },
    );
    if (!(await admission.admit(interaction, ack))) return;
    work(interaction, `shortcut ${trigger}`, async () => {
      await options.resolveDesk(interaction);
      await expectRoute(options.routes.shortcuts[name], name)(interaction, message);
    });
  });
}

function listenToEvents(app: App, { options: { routes, resolveDesk }, work, interactionOf }: Dispatcher): void {
  // A separate queue, in which events can wait: Bolt has already acknowledged them, and none calls the service.
  const limiter = createLimiter(bounds.interactionsPerWorkspace);
  const run: Run = ({ actor }, handle) => limiter.run(actor.workspace, handle);
  for (const [name, route] of Object.entries(routes.events)) {
    app.event(name, async ({ event, body, context }) => {
      const slackEvent = event as unknown as SlackEvent;
      const person = [slackEvent.user, slackEvent.user_id].find((id): id is string => typeof id === 'string') ?? '';
      // The bot's own actions come back as events, and Bolt filters only some of them.
      if (person !== '' && person === context.botUserId) return;
      const interaction = interactionOf({ context, person, workspace: body.team_id });
      const handle = async () => {
        if (person !== '') await resolveDesk(interaction);
        await route(interaction, slackEvent, body.event_time * 1000);
      };
      work(interaction, `event ${body.event_id}`, handle, { run, pausesMs: eventPausesMs });
    });
  }
}

export async function runCommand(
  { commands }: Required<Routes>,
  interaction: Interaction,
  text: string,
): Promise<void> {
  const [name = 'help', ...args] = wordsOf(text);
  const route = commands[commandNameOf(commands, name.toLowerCase())];
  if (route !== undefined) return route.run(interaction, args);
  const suggestion = didYouMean(name, Object.keys(commands));
  const rest = args.map((word) => (/\s/.test(word) ? `"${word}"` : word));
  const command = suggestion && [suggestion, ...rest].join(' ');
  const isButton = command !== undefined && Buffer.byteLength(command) <= limits.buttonValue;
  const hint = suggestion === undefined ? 'Try /drop help.' : `Did you mean ${suggestion}?`;
  const answer = `${unknownText(name)} ${hint}`;
  const run = isButton && button(`/drop ${command}`, 'help.run', { value: command });
  await interaction.reply(answer, [section(answer), ...(run ? [actions(run)] : [])]);
}

const maxEchoedChars = 40;

/** Says that a typed word isn't a command. */
export const unknownText = (word: string): string => `I don't know “${truncateText(oneLine(word), maxEchoedChars)}”.`;

/** The name of the command with this alias, or else the word itself. */
export function commandNameOf(commands: Required<Routes>['commands'], word: string): string {
  return Object.keys(commands).find((name) => commands[name]?.aliases?.includes(word)) ?? word;
}

function expectRoute<T>(route: T | undefined, name: string): T {
  if (route === undefined) throw new Error(`no route for "${name}"`);
  return route;
}

function nameOf(actionId: string): string {
  return actionId.split('#')[0] ?? '';
}

/** A view that Slack sends back, as it was built. Without a list of blocks, it counts as empty. */
function readView(echoed: ViewOutput): ViewOutput {
  const view = unescaped(echoed);
  const { text: metadata } = splitDeskKey(view.private_metadata);
  return { ...view, private_metadata: metadata, blocks: Array.isArray(view.blocks) ? view.blocks : [] };
}

const deskIn = (view: ViewOutput | undefined) => splitDeskKey(view?.private_metadata).desk;

/** Whether the action comes from a field of the form, not from a button. */
function isEntry(action: object, view: ViewOutput | undefined): view is ViewOutput {
  return view !== undefined && 'block_id' in action && hasField(view, fieldName(String(action.block_id)));
}

/** The value of a click, for any kind of element. */
function clickedValue(action: Record<string, unknown>): string {
  const selectedOption = action.selected_option as { value?: string } | null | undefined;
  const candidates = [
    action.value,
    selectedOption?.value,
    action.selected_conversation,
    action.selected_user,
    action.selected_date,
  ];
  return candidates.find((value): value is string => typeof value === 'string') ?? '';
}

function shortcutMessage(body: {
  channel: { id: string };
  message: Record<string, unknown> & { ts: string };
}): ShortcutMessage {
  return { channel: body.channel.id, ts: body.message.ts, files: filesOfMessage(body.message) };
}
