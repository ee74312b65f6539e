import { setTimeout as sleep } from 'node:timers/promises';
import type { ViewOutput } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { type ErrorLink, withReference } from '../errors.ts';
import { actions, type Blocks, button, line } from './blocks.ts';
import { withFieldIds } from './field-ids.ts';
import { formAgain } from './form-again.ts';
import { contentOf, post } from './messages.ts';
import { platformErrorOf } from './platform-errors.ts';
import type { Response } from './respond.ts';
import { loadingView } from './views.ts';

/** One act of a person in Slack, and the ways to answer it. */
export interface Interaction {
  /** The reference is what the person is shown when something fails; the audit and the log have it too. */
  actor: { workspace: string; person: string; reference: string };
  /** As the bot, patiently: for what need not be done within three seconds. */
  client: WebClient;
  /** Where a message was clicked or a command was typed. */
  channel: string | undefined;
  message: { channel: string; ts: string } | undefined;
  /** The modal in which something was clicked or submitted. */
  view: ViewOutput | undefined;
  /** Shows a modal: a new one, or instead of the one the person is in. False where that one was closed meanwhile. */
  open(view: ModalView): Promise<boolean>;
  /** Slack was answered with what is to stand in the form's place; `open` waits until it does. */
  replaced(): void;
  /** Resolves when it does, as far as anybody can tell. */
  whenReplaced(): Promise<void>;
  /** The form that was submitted has done its work: what goes wrong from now on is not said in it. */
  answered(): void;
  /** On top of the modal that the person is in. */
  push(view: ModalView): Promise<void>;
  /** Says something to this person alone: where he is, if that is possible, else in a direct message. */
  reply(text: string, blocks?: Blocks): Promise<void>;
  /** In a direct message, which stays. */
  write(text: string, blocks?: Blocks): Promise<{ channel: string; ts: string }>;
  /** Says that it did not work, at the top of the modal or like `reply`. */
  complain(sentence: string, link?: ErrorLink): Promise<void>;
}

export interface InteractionOptions {
  actor: Interaction['actor'];
  /** Without repetition: a trigger lives for three seconds. */
  quick: WebClient;
  patient: WebClient;
  trigger?: string | undefined;
  channel?: string | undefined;
  message?: Interaction['message'];
  view?: ViewOutput | undefined;
  respond?: ((response: Response) => Promise<void>) | undefined;
  /** What was clicked is seen by this person alone, and disappears. */
  isEphemeral?: boolean | undefined;
  /** Told of an answer that Slack refused; a direct message follows in its place. */
  unheard(error: unknown): void;
}

/**
 * Slack may carry out a call before it has taken in the answer that was given just before it, on another connection: then
 * what it was answered with would stand over what came of it.
 */
const replacingMs = 500;

export function createInteraction(options: InteractionOptions): Interaction {
  const { actor, quick, patient, trigger, channel, message, respond, isEphemeral, unheard } = options;
  let openId: string | undefined = options.view?.type === 'modal' ? options.view.id : undefined;
  let form: ViewOutput | undefined = options.view?.type === 'modal' ? options.view : undefined;
  /** The form for as long as nothing else has come in its place: what is typed into it stays. */
  let shown = form;

  let whenReplaced = Promise.resolve();

  const show = async (view: ModalView): Promise<boolean> => {
    await whenReplaced;
    if (openId !== undefined) return isShown(patient.views.update({ view_id: openId, view }));
    if (trigger === undefined) throw new Error('there is nothing to open a modal with');
    const { view: opened } = await quick.views.open({ trigger_id: trigger, view });
    openId = opened?.id;
    return true;
  };

  /** Where the person is. False where that isn't possible. */
  async function answer(text: string, blocks?: Blocks): Promise<boolean> {
    if (respond === undefined) return false;
    try {
      await respond({ ...contentOf(text, blocks), replace_original: false });
      return true;
    } catch (error) {
      unheard(error);
      return false;
    }
  }

  const interaction: Interaction = {
    actor,
    client: patient,
    channel,
    message,
    view: form,
    async open(view) {
      const before = shown;
      shown = undefined;
      return show(withFieldIds(view, before));
    },
    replaced() {
      whenReplaced = sleep(replacingMs);
      shown = undefined;
    },
    whenReplaced: () => whenReplaced,
    answered() {
      form = undefined;
    },
    async push(view) {
      if (trigger === undefined) throw new Error('there is nothing to push a modal with');
      const { view: pushed } = await quick.views.push({ trigger_id: trigger, view: withFieldIds(view) });
      openId = pushed?.id;
      // It is below now: what goes wrong is said on top of it.
      form = undefined;
      shown = undefined;
    },
    async reply(text, blocks) {
      if (!(await answer(text, blocks))) await interaction.write(text, blocks);
    },
    write: (text, blocks) => post(patient, actor.person, contentOf(text, blocks)),
    async complain(sentence, link) {
      const said = withReference(sentence, actor.reference);
      const blocks = [
        line(`⚠️ ${said}`),
        ...(link === undefined ? [] : [actions(button(link.text, 'link.remedy', { url: link.url }))]),
      ];
      if (openId !== undefined) {
        const bare = { ...loadingView('Dropline'), blocks };
        const again = form === undefined || link !== undefined ? bare : formAgain(form, said);
        if (await show(shown === undefined ? withFieldIds(again) : again).catch(() => false)) return;
      }
      const isAnswered = await answer(`⚠️ ${said}`, blocks);
      // An ephemeral message is never the only copy of what became of something.
      if (!isAnswered || isEphemeral === true) await interaction.write(`⚠️ ${said}`, blocks);
    },
  };
  return interaction;
}

/** A modal that was closed is nobody's mistake. */
async function isShown(update: Promise<unknown>): Promise<boolean> {
  try {
    await update;
    return true;
  } catch (error) {
    if (platformErrorOf(error) === 'not_found') return false;
    throw error;
  }
}

/** Opens something at once, and shows what was asked for when it is there. */
export async function openWhenReady(
  interaction: Interaction,
  title: string,
  prepare: () => Promise<ModalView>,
): Promise<void> {
  await interaction.open(loadingView(title));
  await interaction.open(await prepare());
}

/** The same, on top of the modal that the person is in. */
export async function pushWhenReady(
  interaction: Interaction,
  title: string,
  prepare: () => Promise<ModalView>,
): Promise<void> {
  await interaction.push(loadingView(title));
  await interaction.open(await prepare());
}
