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
  /** Says what went wrong where the person is, and logs it. */
  fail(interaction: Interaction, error: unknown, interrupted?: string): Promise<void>;
  /** Logs what went wrong where nobody can be told. */
  logFailure(interaction: Interaction, error: unknown): void;
  /** What went wrong, in words for a person, and about which field. */
  wordsFor(error: unknown): { sentence: string; field: string | undefined };
  claim(workspace: string, delivery: string): Promise<boolean>;
  unclaim(workspace: string, delivery: string): Promise<void>;
  /** The answers to forms of the last seconds: one that is delivered twice gets the same twice. */
  formAnswers: Cache<Answer>;
  /** The same across processes, for whoever submits again because the answer was lost. */
  recordAnswer(workspace: string, delivery: string, answer: FormAnswer): Promise<void>;
  recordedAnswer(workspace: string, delivery: string): Promise<FormAnswer | undefined>;
}

/** Slack waits three seconds for the answer to a form. */
const formMs = 2_000;

/** How long the answer of another process is waited for, which may have died before it gave one. */
const otherMs = 15_000;
const pauseMs = 100;
const nobodyAnswered = (title: string) =>
  `You have sent “${title}” before, and nobody knows what became of it. Look whether it was done before you send it again.`;

type Ack = (answer: ViewResponseAction | undefined) => Promise<void>;

/**
 * Answers a form. What is ready in time decides what becomes of it: closed, replaced, or shown again with its errors. What
 * is not is shown when it is there, in its place.
 */
export async function answerForm(
  options: Answering,
  interaction: Interaction,
  view: ViewOutput,
  route: FormRoute | undefined,
  ack: Ack,
): Promise<void> {
  // Whoever corrects something and submits it again, because the answer was lost, submits something else.
  const delivery = `form ${view.id} ${view.hash} ${JSON.stringify(view.state?.values)}`;
  const isLate = sleep(formMs, 'late' as const, { ref: false });
  const key = `${interaction.actor.workspace} ${delivery}`;
  let isFirst = false;
  const answering = options.formAnswers.get(key, async () => {
    const answer = await answerOf(options, interaction, view, route, delivery, () => {
      isFirst = true;
    });
    // The person may correct it and submit it once more.
    if (problemsOf(answer) !== undefined) options.formAnswers.delete(key);
    return answer;
  });
  // Slack may have stopped waiting, or its socket be gone: what was done was done, and is shown as if it had been late.
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
    // It was done, so that nothing may be said that sounds as if it were not.
    options.logFailure(interaction, error);
  }
}

/** In the place of the form. Whoever has closed it is told once, however often it was submitted. */
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
  /** Whoever was the first to hear it has not answered, and nobody else will say so. */
  isLost?: boolean;
  /** What was wrong with the form as a whole. */
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
    // Nobody waits for that: most answers arrive.
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

/** Undefined where the form is ours to answer. Where it was submitted before, to another process, that one's answer holds. */
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
    if (performance.now() > deadline) return { sentence: nobodyAnswered(title), isLost: true };
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

/** Errors can no longer stand at their fields: they come on top of the form. */
function lateView(answer: Answer, form: ViewOutput) {
  const problems = problemsOf(answer);
  if (problems !== undefined) return formAgain(form, problems);
  return answer.view ?? doneView(form.title.text, answer.done ?? 'Done.');
}

function problemsOf({ errors, sentence }: Answer): string | undefined {
  return errors === undefined ? sentence : Object.values(errors).join(' ');
}
