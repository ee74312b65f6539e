import { setTimeout as sleep } from 'node:timers/promises';
import type { ViewOutput, ViewResponseAction } from '@slack/bolt';
import type { Cache } from '../cache.ts';
import { withReference } from '../errors.ts';
import { withFieldIds } from './field-ids.ts';
import { errorsIn, filledIn, hasField } from './form.ts';
import { formAgain } from './form-again.ts';
import type { Interaction } from './interaction.ts';
import type { FormAnswer, FormRoute } from './routes.ts';
import { doneView, workingView } from './views.ts';

export interface Answering {
  /** Shows the person what went wrong, where they are, and logs it. */
  fail(interaction: Interaction, error: unknown, interrupted?: string): Promise<void>;
  /** Logs an error that can't be shown to the person. */
  logFailure(interaction: Interaction, error: unknown): void;
  /** The error message for a person, and the field it is about. */
  wordsFor(error: unknown): { sentence: string; field: string | undefined };
  claim(workspace: string, delivery: string): Promise<boolean>;
  unclaim(workspace: string, delivery: string): Promise<void>;
  /** Recent answers to forms, so that a form delivered twice gets the same answer. */
  formAnswers: Cache<Answer>;
  /** The same across processes, for a person who submits again because the answer was lost. */
  recordAnswer(workspace: string, delivery: string, answer: FormAnswer): Promise<void>;
  recordedAnswer(workspace: string, delivery: string): Promise<FormAnswer | undefined>;
}

/** Slack waits three seconds for the answer to a form. */
const formMs = 2_000;

/** How long to wait for another process's answer: it can have died before it gave one. */
const otherMs = 15_000;
const pauseMs = 100;
const lostAnswerMessage = (title: string) =>
  `You have sent “${title}” before, and nobody knows what became of it. Look whether it was done before you send it again.`;

type Ack = (answer: ViewResponseAction | undefined) => Promise<void>;

/**
 * Answers a form. If the answer is ready in time, the form closes, is replaced, or shows its errors. A late answer
 * replaces the form once it is ready.
 */
export async function answerForm(
  options: Answering,
  interaction: Interaction,
  view: ViewOutput,
  route: FormRoute | undefined,
  ack: Ack,
): Promise<void> {
  // Includes the values: a form that is corrected and submitted again, because the answer was lost, is a new delivery.
  const delivery = `form ${view.id} ${view.hash} ${JSON.stringify(view.state?.values)}`;
  const isLate = sleep(formMs, 'late' as const, { ref: false });
  const key = `${interaction.actor.workspace} ${delivery}`;
  let isFirst = false;
  const answering = options.formAnswers.get(key, async () => {
    const answer = await answerOf(options, interaction, view, route, delivery, () => {
      isFirst = true;
    });
    // The person can correct the form and submit it again.
    if (problemsOf(answer) !== undefined) options.formAnswers.delete(key);
    return answer;
  });
  // Slack can have stopped waiting, or its socket closed. The work is done all the same, so show it like a late answer.
  const isHeard = (response: ViewResponseAction | undefined) =>
    ack(response).then(
      () => true,
      (error: unknown) => {
        options.logFailure(interaction, error);
        return false;
      },
    );
  const first = await Promise.race([answering, isLate]);
  const response: ViewResponseAction | undefined =
    first === 'late' ? { response_action: 'update', view: workingView(view.title.text) } : responseOf(first, view);
  const isInTime = await isHeard(response);
  if (response?.response_action === 'update') interaction.replaced();
  const answer = await answering;
  try {
    if (first === 'late' || !isInTime) await showLate(interaction, answer, view, isFirst);
    interaction.answered();
    if (answer.after !== undefined) await route?.after?.(interaction, answer.after);
  } catch (error) {
    // The work is done, so an error message here would be wrong.
    options.logFailure(interaction, error);
  }
}

/** Replaces the form. If the person has closed it, they get one message, even if it was submitted several times. */
async function showLate(interaction: Interaction, answer: Answer, form: ViewOutput, isFirst: boolean): Promise<void> {
  if (await interaction.open(lateView(answer, form))) return;
  if (!isFirst && answer.isLost !== true) return;
  const isTold = answer.view === undefined || answer.after !== undefined;
  const words = problemsOf(answer) ?? answer.done ?? (isTold ? undefined : closedEarly(form.title.text));
  if (words !== undefined) await interaction.write(words);
}

const closedEarly = (title: string) =>
  `“${title}” was closed before its answer was there. Nothing was done; open it again to go on.`;

export interface Answer extends FormAnswer {
  /** The process that claimed the form never answered, so this one must tell the person. */
  isLost?: boolean;
  /** The error message for the form as a whole. */
  sentence?: string;
}

async function answerOf(
  options: Answering,
  interaction: Interaction,
  view: ViewOutput,
  route: FormRoute | undefined,
  delivery: string,
  onFirst: () => void,
): Promise<Answer> {
  const { workspace } = interaction.actor;
  let isOurs = false;
  try {
    if (route === undefined) throw new Error(`nothing answers to the form ${view.callback_id}`);
    const given = await claimOrAnswer(options, workspace, delivery, view.title.text);
    if (given !== undefined) return given;
    isOurs = true;
    onFirst();
    const answer = await route.submit(interaction, filledIn(view), view.private_metadata);
    if (answer.errors !== undefined) await options.unclaim(workspace, delivery);
    // Not awaited: most answers arrive, so this is rarely needed.
    else
      options
        .recordAnswer(workspace, delivery, answer)
        .catch((failure: unknown) => options.logFailure(interaction, failure));
    return answer;
  } catch (error) {
    options.logFailure(interaction, error);
    if (isOurs)
      await options.unclaim(workspace, delivery).catch((failure: unknown) => options.logFailure(interaction, failure));
    const { sentence, field } = options.wordsFor(error);
    if (field !== undefined && hasField(view, field)) return { errors: { [field]: sentence } };
    return { sentence: withReference(sentence, interaction.actor.reference) };
  }
}

/** Undefined if this process must answer. If another process got the form first, resolves with its answer. */
async function claimOrAnswer(
  options: Answering,
  workspace: string,
  delivery: string,
  title: string,
): Promise<Answer | undefined> {
  const deadline = performance.now() + otherMs;
  while (!(await options.claim(workspace, delivery))) {
    const noted = await options.recordedAnswer(workspace, delivery);
    if (noted !== undefined) return noted;
    if (performance.now() > deadline) return { sentence: lostAnswerMessage(title), isLost: true };
    await sleep(pauseMs);
  }
  return undefined;
}

function responseOf({ view, errors, sentence, closeAll }: Answer, form: ViewOutput): ViewResponseAction | undefined {
  if (errors !== undefined) return { response_action: 'errors', errors: errorsIn(form, errors) };
  if (sentence !== undefined) return { response_action: 'update', view: formAgain(form, sentence) };
  if (view !== undefined) return { response_action: 'update', view: withFieldIds(view, form) };
  return closeAll === true ? { response_action: 'clear' } : undefined;
}

/** Late errors can't be shown at their fields, so they go to the top of the form. */
function lateView(answer: Answer, form: ViewOutput) {
  const problems = problemsOf(answer);
  if (problems !== undefined) return formAgain(form, problems);
  return answer.view ?? doneView(form.title.text, answer.done ?? 'Done.');
}

function problemsOf({ errors, sentence }: Answer): string | undefined {
  return errors === undefined ? sentence : Object.values(errors).join(' ');
}
