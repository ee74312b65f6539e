import { setTimeout as sleep } from 'node:timers/promises';
import type { ViewOutput, ViewResponseAction } from '@slack/bolt';
import type { Cache } from '../lib/cache.ts';
import { withFieldIds } from './field-ids.ts';
import { errorsIn, filledIn, hasField } from './form.ts';
import type { Interaction } from './interaction.ts';
import { formWithError } from './rebuilt-form.ts';
import type { FormAnswer, FormRoute } from './routes.ts';
import { doneView, workingView } from './views.ts';
import type { WorkDependencies } from './work.ts';

export interface FormDependencies extends Pick<WorkDependencies, 'claim' | 'logFailure'> {
  /** The error message for a person, with the field that caused it, and the messages for other fields of the form. */
  errorMessageFor(error: unknown, reference: string): FieldMessage & { others: readonly FieldMessage[] };
  /** Lets the form be submitted again, after an error. */
  unclaim(workspace: string, delivery: string): Promise<void>;
  /** This process's recent answers, so that a form delivered twice gets the same answer. */
  formAnswers: Cache<Answer>;
  /** Stores an answer for all processes, for a person who submits again because the answer was lost. */
  recordAnswer(workspace: string, delivery: string, answer: FormAnswer): Promise<void>;
  readAnswer(workspace: string, delivery: string): Promise<FormAnswer | undefined>;
  /** Finds the account that the person works on, and sets it in the interaction's actor. */
  resolveDesk(interaction: Interaction, clicked?: string): Promise<void>;
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

interface Submission {
  interaction: Interaction;
  form: ViewOutput;
  workspace: string;
  /** Includes the values, so that a form with corrected values is a new delivery. */
  delivery: string;
}

export interface Answer extends FormAnswer {
  /** The error message for the form as a whole. */
  message?: string;
  /** The submission that was handled to get this answer. If the form was closed, only this one notifies the person. */
  notifier?: Interaction;
}

/**
 * Answers a form. If the answer is ready in time, the form closes, is replaced, or shows errors. Otherwise the form is
 * replaced when the answer is ready.
 */
export async function answerForm(
  options: FormDependencies,
  interaction: Interaction,
  form: ViewOutput,
  route: FormRoute | undefined,
  ack: (answer: ViewResponseAction | undefined) => Promise<void>,
): Promise<void> {
  const delivery = `form ${form.id} ${form.hash} ${JSON.stringify(form.state?.values)}`;
  const answering = answerOnce(options, { interaction, form, workspace: interaction.actor.workspace, delivery }, route);
  const answerInTime = await Promise.race([answering, sleep(formTimeoutMs, undefined, { ref: false })]);
  const response: ViewResponseAction | undefined =
    answerInTime === undefined
      ? { response_action: 'update', view: workingView(form.title.text) }
      : responseOf(answerInTime, form, interaction);
  // Fails if Slack has stopped waiting or its socket is closed. Then the answer is shown like a late one.
  const isSent = await ack(response).then(
    () => true,
    (error: unknown) => {
      options.logFailure(interaction, error);
      return false;
    },
  );
  if (response?.response_action === 'update') interaction.markReplaced();
  const answer = await answering;
  try {
    if (answerInTime === undefined || !isSent) await showLate(interaction, answer, form);
    interaction.markAnswered();
    if (answer.after !== undefined) {
      // Another submission can have got this answer.
      await options.resolveDesk(interaction);
      await route?.after?.(interaction, answer.after);
    }
  } catch (error) {
    // The work is done, so an error message here would be wrong.
    options.logFailure(interaction, error);
  }
}

/** Replaces the form. If the person has closed it, sends one message, even if the form was delivered several times. */
async function showLate(interaction: Interaction, answer: Answer, form: ViewOutput): Promise<void> {
  if (await interaction.update(lateView(answer, form))) return;
  if (answer.notifier !== interaction) return;
  const hasNextStep = answer.view !== undefined && answer.after === undefined;
  const text = problemsOf(answer) ?? answer.done ?? (hasNextStep ? closedEarlyText(form.title.text) : undefined);
  if (text !== undefined) await interaction.write(text);
}

const closedEarlyText = (title: string) =>
  `“${title}” was closed before it was finished. Nothing was done. Open it again to continue.`;

/** Handles each delivery once in this process. Deliveries of the same form share the answer, unless it is an error. */
function answerOnce(options: FormDependencies, submission: Submission, route: FormRoute | undefined): Promise<Answer> {
  const key = `${submission.workspace} ${submission.delivery}`;
  return options.formAnswers.get(key, async () => {
    const answer = await answerOrProblem(options, submission, route);
    if (problemsOf(answer) !== undefined) options.formAnswers.delete(key);
    return answer;
  });
}

async function answerOrProblem(
  options: FormDependencies,
  submission: Submission,
  route: FormRoute | undefined,
): Promise<Answer> {
  const { interaction, form } = submission;
  try {
    if (route === undefined) throw new Error(`no route for form "${form.callback_id}"`);
    await options.resolveDesk(interaction);
    const existingAnswer = await claimOrWaitForAnswer(options, submission);
    return existingAnswer ?? { ...(await submit(options, submission, route)), notifier: interaction };
  } catch (error) {
    options.logFailure(interaction, error);
    const { others, ...first } = options.errorMessageFor(error, interaction.actor.reference);
    const messages = [first, ...others];
    if (messages.every(({ field }) => field !== undefined && hasField(form, field))) {
      const errors = Object.fromEntries(messages.map(({ field = '', message }) => [field, message]));
      return { errors, notifier: interaction };
    }
    return { message: messages.map(({ message }) => message).join(' '), notifier: interaction };
  }
}

/** Has the route handle a claimed form, and records the answer. */
async function submit(options: FormDependencies, submission: Submission, route: FormRoute): Promise<FormAnswer> {
  const { interaction, form, workspace, delivery } = submission;
  const logFailure = (error: unknown) => options.logFailure(interaction, error);
  try {
    const answer = await route.submit(interaction, filledIn(form), form.private_metadata);
    if (answer.errors !== undefined) await options.unclaim(workspace, delivery);
    // Not awaited, because the stored answer is needed only if this one is lost.
    else options.recordAnswer(workspace, delivery, answer).catch(logFailure);
    return answer;
  } catch (error) {
    await options.unclaim(workspace, delivery).catch(logFailure);
    throw error;
  }
}

/**
 * Resolves with undefined if this process must answer the form, otherwise with the answer of the process that did, or
 * with an error message if that one never answers.
 */
async function claimOrWaitForAnswer(
  options: FormDependencies,
  { interaction, form, workspace, delivery }: Submission,
): Promise<Answer | undefined> {
  const deadline = performance.now() + otherProcessTimeoutMs;
  while (!(await options.claim(workspace, delivery))) {
    const recorded = await options.readAnswer(workspace, delivery);
    if (recorded !== undefined) return recorded;
    if (performance.now() > deadline) return { message: lostAnswerMessage(form.title.text), notifier: interaction };
    await sleep(pauseMs);
  }
  return undefined;
}

function responseOf(
  { view, errors, message, closeAll }: Answer,
  form: ViewOutput,
  { stamped }: Interaction,
): ViewResponseAction | undefined {
  if (errors !== undefined) return { response_action: 'errors', errors: errorsIn(form, errors) };
  if (message !== undefined) return { response_action: 'update', view: stamped(formWithError(form, message)) };
  if (view !== undefined) return { response_action: 'update', view: stamped(withFieldIds(view, form)) };
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
