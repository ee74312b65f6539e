import { setTimeout as sleep } from 'node:timers/promises';
import type { ViewOutput, ViewResponseAction } from '@slack/bolt';
import type { Cache } from '../cache.ts';
import { withFieldIds } from './field-ids.ts';
import { errorsIn, filledIn, hasField } from './form.ts';
import type { Interaction } from './interaction.ts';
import { formWithError } from './rebuilt-form.ts';
import type { FormAnswer, FormRoute } from './routes.ts';
import { doneView, workingView } from './views.ts';

export interface FormDependencies {
  /** Logs an error, and shows it to the person in the modal or conversation that they used. */
  fail(interaction: Interaction, error: unknown, interrupted?: string): Promise<void>;
  /** Logs an error that can't be shown to the person. */
  logFailure(interaction: Interaction, error: unknown): void;
  /** The error message for a person, with the field that caused it, and the messages for other fields of the form. */
  errorMessageFor(error: unknown, reference: string): FieldMessage & { others: readonly FieldMessage[] };
  /** Resolves with true for the first process that claims the delivery, so that each form is handled once. */
  claim(workspace: string, delivery: string): Promise<boolean>;
  /** Lets the form be submitted again, after an error. */
  unclaim(workspace: string, delivery: string): Promise<void>;
  /** This process's recent answers, so that a form delivered twice gets the same answer. */
  formAnswers: Cache<Answer>;
  /** Stores an answer for all processes, for a person who submits again because the answer was lost. */
  recordAnswer(workspace: string, delivery: string, answer: FormAnswer): Promise<void>;
  readAnswer(workspace: string, delivery: string): Promise<FormAnswer | undefined>;
}

interface FieldMessage {
  message: string;
  field: string | undefined;
}

/** Slack waits three seconds for the answer to a form. */
const formTimeoutMs = 2_000;

/** How long to wait for the answer of another process, which might have died. */
const otherProcessTimeoutMs = 15_000;
const pauseMs = 100;
const lostAnswerMessage = (title: string) =>
  `“${title}” was already submitted, but its result is unknown. Check whether it was done before you submit it again.`;

type Ack = (answer: ViewResponseAction | undefined) => Promise<void>;

/**
 * Answers a form. If the answer is ready in time, the form closes, is replaced, or shows errors. Otherwise the form is
 * replaced when the answer is ready.
 */
export async function answerForm(
  options: FormDependencies,
  interaction: Interaction,
  view: ViewOutput,
  route: FormRoute | undefined,
  ack: Ack,
): Promise<void> {
  // Includes the values, so that a form with corrected values is a new delivery.
  const delivery = `form ${view.id} ${view.hash} ${JSON.stringify(view.state?.values)}`;
  const timeout = sleep(formTimeoutMs, 'late' as const, { ref: false });
  const key = `${interaction.actor.workspace} ${delivery}`;
  let isFirst = false;
  const answering = options.formAnswers.get(key, async () => {
    const answer = await answerOf(options, interaction, view, route, delivery, () => {
      isFirst = true;
    });
    // After an error, the person can submit the form again.
    if (problemsOf(answer) !== undefined) options.formAnswers.delete(key);
    return answer;
  });
  // Resolves with false if Slack has stopped waiting or its socket is closed. Then the answer is shown like a late one.
  const sendResponse = (response: ViewResponseAction | undefined) =>
    ack(response).then(
      () => true,
      (error: unknown) => {
        options.logFailure(interaction, error);
        return false;
      },
    );
  const answerOrLate = await Promise.race([answering, timeout]);
  const response: ViewResponseAction | undefined =
    answerOrLate === 'late'
      ? { response_action: 'update', view: workingView(view.title.text) }
      : responseOf(answerOrLate, view);
  const isInTime = await sendResponse(response);
  if (response?.response_action === 'update') interaction.markReplaced();
  const answer = await answering;
  try {
    if (answerOrLate === 'late' || !isInTime) await showLate(interaction, answer, view, isFirst);
    interaction.markAnswered();
    if (answer.after !== undefined) await route?.after?.(interaction, answer.after);
  } catch (error) {
    // The work is done, so an error message here would be wrong.
    options.logFailure(interaction, error);
  }
}

/** Replaces the form. If the person has closed it, sends one message, even if the form was delivered several times. */
async function showLate(interaction: Interaction, answer: Answer, form: ViewOutput, isFirst: boolean): Promise<void> {
  if (await interaction.open(lateView(answer, form))) return;
  if (!isFirst && answer.isLost !== true) return;
  const hasNextStep = answer.view !== undefined && answer.after === undefined;
  const text = problemsOf(answer) ?? answer.done ?? (hasNextStep ? closedEarlyText(form.title.text) : undefined);
  if (text !== undefined) await interaction.write(text);
}

const closedEarlyText = (title: string) =>
  `“${title}” was closed before it was finished. Nothing was done. Open it again to continue.`;

export interface Answer extends FormAnswer {
  /** Another process claimed the form and never answered, so this process must notify the person. */
  isLost?: boolean;
  /** The error message for the form as a whole. */
  message?: string;
}

async function answerOf(
  options: FormDependencies,
  interaction: Interaction,
  view: ViewOutput,
  route: FormRoute | undefined,
  delivery: string,
  onFirst: () => void,
): Promise<Answer> {
  const { workspace } = interaction.actor;
  let isClaimed = false;
  try {
    if (route === undefined) throw new Error(`no route for form "${view.callback_id}"`);
    const existingAnswer = await claimOrWaitForAnswer(options, workspace, delivery, view.title.text);
    if (existingAnswer !== undefined) return existingAnswer;
    isClaimed = true;
    onFirst();
    const answer = await route.submit(interaction, filledIn(view), view.private_metadata);
    if (answer.errors !== undefined) await options.unclaim(workspace, delivery);
    // Not awaited, because the stored answer is needed only if this one is lost.
    else
      options
        .recordAnswer(workspace, delivery, answer)
        .catch((failure: unknown) => options.logFailure(interaction, failure));
    return answer;
  } catch (error) {
    options.logFailure(interaction, error);
    if (isClaimed)
      await options.unclaim(workspace, delivery).catch((failure: unknown) => options.logFailure(interaction, failure));
    const { others, ...first } = options.errorMessageFor(error, interaction.actor.reference);
    const messages = [first, ...others];
    if (messages.every(({ field }) => field !== undefined && hasField(view, field))) {
      return { errors: Object.fromEntries(messages.map(({ field = '', message }) => [field, message])) };
    }
    return { message: messages.map(({ message }) => message).join(' ') };
  }
}

/**
 * Resolves with undefined if this process must answer the form, otherwise with the answer of the process that did, or
 * with an error message if that one never answers.
 */
async function claimOrWaitForAnswer(
  options: FormDependencies,
  workspace: string,
  delivery: string,
  title: string,
): Promise<Answer | undefined> {
  const deadline = performance.now() + otherProcessTimeoutMs;
  while (!(await options.claim(workspace, delivery))) {
    const recorded = await options.readAnswer(workspace, delivery);
    if (recorded !== undefined) return recorded;
    if (performance.now() > deadline) return { message: lostAnswerMessage(title), isLost: true };
    await sleep(pauseMs);
  }
  return undefined;
}

function responseOf({ view, errors, message, closeAll }: Answer, form: ViewOutput): ViewResponseAction | undefined {
  if (errors !== undefined) return { response_action: 'errors', errors: errorsIn(form, errors) };
  if (message !== undefined) return { response_action: 'update', view: formWithError(form, message) };
  if (view !== undefined) return { response_action: 'update', view: withFieldIds(view, form) };
  return closeAll === true ? { response_action: 'clear' } : undefined;
}

/** Late errors can't be shown at their fields, so they go to the top of the form. */
function lateView(answer: Answer, form: ViewOutput) {
  const problems = problemsOf(answer);
  if (problems !== undefined) return formWithError(form, problems);
  return answer.view ?? doneView(form.title.text, answer.done ?? 'Done.');
}

function problemsOf({ errors, message }: Answer): string | undefined {
  return errors === undefined ? message : Object.values(errors).join(' ');
}
