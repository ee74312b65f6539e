import { setTimeout as sleep } from 'node:timers/promises';
import type { ViewOutput } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { type ErrorLink, withReference } from '../errors.ts';
import { type Blocks, line, linkBlocks } from './blocks.ts';
import { withFieldIds } from './field-ids.ts';
import { formAgain } from './form-again.ts';
import { contentOf, post } from './messages.ts';
import { platformErrorOf } from './platform-errors.ts';
import type { Response } from './respond.ts';
import { loadingView } from './views.ts';

/** One act of a person in Slack, and the ways to answer it. */
export interface Interaction {
  /** The person sees the reference when something fails; the audit entry and the log have it too. */
  actor: { workspace: string; person: string; reference: string };
  /** The bot's client with retries, for calls that don't have to happen within three seconds. */
  client: WebClient;
  /** The channel of the clicked message or the typed command. */
  channel: string | undefined;
  message: { channel: string; ts: string } | undefined;
  /** The modal that was clicked in or submitted. */
  view: ViewOutput | undefined;
  /** Opens a modal, or replaces the one that the person is in. Resolves with false if that one was closed. */
  open(view: ModalView): Promise<boolean>;
  /** Call after answering Slack with a view that replaces the form; `open` then waits until Slack shows it. */
  replaced(): void;
  /** Resolves when Slack should have replaced the form. */
  whenReplaced(): Promise<void>;
  /** The submitted form is done: later errors aren't shown in it. */
  answered(): void;
  /** Opens a modal on top of the one that the person is in. */
  push(view: ModalView): Promise<void>;
  /** Answers only this person: where they are, if possible, otherwise in a direct message. */
  reply(text: string, blocks?: Blocks): Promise<void>;
  /** Sends a direct message, which stays. */
  write(text: string, blocks?: Blocks): Promise<{ channel: string; ts: string }>;
  /** Shows an error message at the top of the modal, or like `reply`. */
  complain(sentence: string, link?: ErrorLink): Promise<void>;
}

export interface InteractionOptions {
  actor: Interaction['actor'];
  /** Doesn't retry: a trigger expires after three seconds. */
  quick: WebClient;
  patient: WebClient;
  trigger?: string | undefined;
  channel?: string | undefined;
  message?: Interaction['message'];
  view?: ViewOutput | undefined;
  respond?: ((response: Response) => Promise<void>) | undefined;
  /** The clicked message is visible only to this person, and disappears. */
  isEphemeral?: boolean | undefined;
  /** Called if Slack refuses an answer; a direct message follows instead. */
  unheard(error: unknown): void;
}

/**
 * The answer to Slack and a following call use different connections, and Slack can process the call first. Then the
 * answer's view would replace the call's newer one. This delay prevents that.
 */
const replacingMs = 500;

export function createInteraction(options: InteractionOptions): Interaction {
  const { actor, quick, patient, trigger, channel, message, respond, isEphemeral, unheard } = options;
  let openId: string | undefined = options.view?.type === 'modal' ? options.view.id : undefined;
  let form: ViewOutput | undefined = options.view?.type === 'modal' ? options.view : undefined;
  /** The form, until something replaces it. While it is set, Slack keeps what is typed into it. */
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

  /** Answers where the person is. Resolves with false if that isn't possible. */
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
      // The form is below the new modal now, so errors go into the new one.
      form = undefined;
      shown = undefined;
    },
    async reply(text, blocks) {
      if (!(await answer(text, blocks))) await interaction.write(text, blocks);
    },
    write: (text, blocks) => post(patient, actor.person, contentOf(text, blocks)),
    async complain(sentence, link) {
      const said = withReference(sentence, actor.reference);
      const blocks = [line(`⚠️ ${said}`), ...linkBlocks(link)];
      if (openId !== undefined) {
        const bare = { ...loadingView('Dropline'), blocks };
        const again = form === undefined || link !== undefined ? bare : formAgain(form, said);
        if (await show(shown === undefined ? withFieldIds(again) : again).catch(() => false)) return;
      }
      const isAnswered = await answer(`⚠️ ${said}`, blocks);
      // An ephemeral message disappears, so it is never the only copy of a result.
      if (!isAnswered || isEphemeral === true) await interaction.write(`⚠️ ${said}`, blocks);
    },
  };
  return interaction;
}

/** A closed modal isn't an error. */
async function isShown(update: Promise<unknown>): Promise<boolean> {
  try {
    await update;
    return true;
  } catch (error) {
    if (platformErrorOf(error) === 'not_found') return false;
    throw error;
  }
}

/** Opens a loading view at once, and replaces it when the content is ready. */
export async function openWhenReady(
  interaction: Interaction,
  title: string,
  prepare: () => Promise<ModalView>,
): Promise<void> {
  await interaction.open(loadingView(title));
  await interaction.open(await prepare());
}

/** The same on top of the modal that the person is in. */
export async function pushWhenReady(
  interaction: Interaction,
  title: string,
  prepare: () => Promise<ModalView>,
): Promise<void> {
  await interaction.push(loadingView(title));
  await interaction.open(await prepare());
}
