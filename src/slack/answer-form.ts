import { setTimeout as sleep } from 'node:timers/promises';
import type { ViewOutput, ViewResponseAction } from '@slack/bolt';
import type { Kept } from '../kept.ts';
import { filledIn, formAgain, hasField } from './form.ts';
import type { FormAnswer, FormRoute } from './routes.ts';
import { doneView, workingView } from './views.ts';
import type { Visit } from './visit.ts';

export interface Answering {
  /** Says what went wrong where the person is, and logs it. */
  fail(visit: Visit, error: unknown, interrupted?: string): Promise<void>;
  /** Logs what went wrong where nobody can be told. */
  note(visit: Visit, error: unknown): void;
  /** What went wrong, in words for a person, and about which field. */
  wordsFor(error: unknown): { sentence: string; field: string | undefined };
  claim(workspace: string, delivery: string): Promise<boolean>;
  unclaim(workspace: string, delivery: string): Promise<void>;
  /** The answers to forms of the last seconds: one that is delivered twice gets the same twice. */
  formAnswers: Kept<Answer>;
  /** The same across processes, for whoever submits again because the answer was lost. */
  noteAnswer(workspace: string, delivery: string, answer: FormAnswer): Promise<void>;
  notedAnswer(workspace: string, delivery: string): Promise<FormAnswer | undefined>;
}

/** Slack waits three seconds for the answer to a form. */
const formMs = 2_000;

/** How long the answer of another process is waited for, which may have died before it gave one. */
const otherMs = 15_000;
const pauseMs = 100;
const nobodyAnswered =
  'You have sent this before, and nobody knows what became of it. Look whether it was done before you send it again.';

type Ack = (answer: ViewResponseAction | undefined) => Promise<void>;

/**
 * Answers a form. What is ready in time decides what becomes of it: closed, replaced, or shown again with its errors. What
 * is not is shown when it is there, in its place.
 */
export async function answerForm(
  options: Answering,
  visit: Visit,
  view: ViewOutput,
  route: FormRoute | undefined,
  ack: Ack,
): Promise<void> {
  const delivery = `form ${view.id} ${view.hash}`;
  const isLate = sleep(formMs, 'late' as const, { ref: false });
  const key = `${visit.actor.workspace} ${delivery}`;
  let isFirst = false;
  const answering = options.formAnswers.get(key, async () => {
    const answer = await answerOf(options, visit, view, route, delivery, () => {
      isFirst = true;
    });
    // The person may correct it and submit it once more.
    if (problemsOf(answer) !== undefined) options.formAnswers.forget(key);
    return answer;
  });
  const goOn = async ({ after }: Answer) => {
    if (after !== undefined) await route?.after?.(visit, after);
  };
  try {
    const first = await Promise.race([answering, isLate]);
    if (first !== 'late') {
      await ack(responseOf(first, view));
      return await goOn(first);
    }
    const title = view.title.text;
    await ack({ response_action: 'update', view: workingView(title) });
    const answer = await answering;
    const isShown = await visit.open(lateView(answer, view));
    const words = problemsOf(answer) ?? answer.done;
    if (!isShown && isFirst && words !== undefined) await visit.write(words);
    await goOn(answer);
  } catch (error) {
    await options.fail(visit, error);
  }
}

export interface Answer extends FormAnswer {
  /** What was wrong with the form as a whole. */
  sentence?: string;
}

async function answerOf(
  options: Answering,
  visit: Visit,
  view: ViewOutput,
  route: FormRoute | undefined,
  delivery: string,
  onFirst: () => void,
): Promise<Answer> {
  const { workspace } = visit.actor;
  let isOurs = false;
  try {
    if (route === undefined) throw new Error(`nothing answers to the form ${view.callback_id}`);
    const given = await claimOrAnswer(options, workspace, delivery);
    if (given !== undefined) return given;
    isOurs = true;
    onFirst();
    const answer = await route.submit(visit, filledIn(view.state), view.private_metadata);
    if (answer.errors !== undefined) await options.unclaim(workspace, delivery);
    // Nobody waits for that: most answers arrive.
    else options.noteAnswer(workspace, delivery, answer).catch((failure: unknown) => options.note(visit, failure));
    return answer;
  } catch (error) {
    options.note(visit, error);
    if (isOurs) await options.unclaim(workspace, delivery).catch((failure: unknown) => options.note(visit, failure));
    const { sentence, field } = options.wordsFor(error);
    if (field !== undefined && hasField(view, field)) return { errors: { [field]: sentence } };
    return { sentence: `${sentence} (Reference ${visit.actor.reference})` };
  }
}

/** Undefined where the form is ours to answer. Where it was submitted before, to another process, that one's answer holds. */
async function claimOrAnswer(options: Answering, workspace: string, delivery: string): Promise<Answer | undefined> {
  const deadline = performance.now() + otherMs;
  while (!(await options.claim(workspace, delivery))) {
    const noted = await options.notedAnswer(workspace, delivery);
    if (noted !== undefined) return noted;
    if (performance.now() > deadline) return { sentence: nobodyAnswered };
    await sleep(pauseMs);
  }
  return undefined;
}

function responseOf({ view, errors, sentence, closeAll }: Answer, form: ViewOutput): ViewResponseAction | undefined {
  if (errors !== undefined) return { response_action: 'errors', errors };
  if (sentence !== undefined) return { response_action: 'update', view: formAgain(form, sentence) };
  if (view !== undefined) return { response_action: 'update', view };
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
