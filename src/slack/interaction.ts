import { setTimeout as sleep } from 'node:timers/promises';
import type { ViewOutput } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { ErrorLink } from '../errors.ts';
import { type Blocks, line, linkBlocks } from './blocks.ts';
import { withFieldIds } from './field-ids.ts';
import { contentOf, post } from './messages.ts';
import { platformErrorOf } from './platform-errors.ts';
import { formWithError } from './rebuilt-form.ts';
import type { Response } from './respond.ts';
import { loadingView } from './views.ts';

/** One action of a person in Slack, and the ways to answer it. */
export interface Interaction {
  /** The reference is shown to the person if something fails unexpectedly. The audit entry and the log have it too. */
  actor: { workspace: string; person: string; reference: string };
  /** The bot's client with retries, for calls without a trigger. */
  client: WebClient;
  /** The channel of the clicked message, the typed command or the message of a shortcut. */
  channel: string | undefined;
  /** The clicked message. `threadTs`: the first message of its thread. */
  message: { channel: string; ts: string; threadTs?: string | undefined } | undefined;
  /** The modal that was clicked in or submitted. */
  view: ViewOutput | undefined;
  /** Opens a modal, or replaces the one that the person is in. Resolves with false if that one was closed. */
  open(view: ModalView): Promise<boolean>;
  /** The modal as it was last shown. Its hash changes with every update, even one by another process. */
  shownView(): { id: string; hash: string } | undefined;
  /** Call after answering Slack with a view that replaces the form; `open` then waits until Slack shows it. */
  markReplaced(): void;
  /** Resolves when Slack should have replaced the form. */
  whenReplaced(): Promise<void>;
  /** Call when the submitted form has its answer. Later errors aren't shown in the form. */
  markAnswered(): void;
  /** Opens a modal on top of the one that the person is in. Does nothing if that one was closed. */
  push(view: ModalView): Promise<void>;
  /** Answers only this person: where they clicked or typed, if possible, otherwise in a direct message. */
  reply(text: string, blocks?: Blocks): Promise<void>;
  /** Deletes the clicked message, if only this person sees it. */
  dismiss(): Promise<void>;
  /** Sends a direct message. */
  write(text: string, blocks?: Blocks): Promise<{ channel: string; ts: string }>;
  /** Shows an error message at the top of the modal; without a modal, like `reply`. */
  showError(message: string, link?: ErrorLink): Promise<void>;
}

export interface InteractionOptions {
  actor: Interaction['actor'];
  /** See `Clients`. */
  quick: WebClient;
  retrying: WebClient;
  trigger?: string | undefined;
  channel?: string | undefined;
  message?: Interaction['message'];
  view?: ViewOutput | undefined;
  respond?: ((response: Response) => Promise<void>) | undefined;
  /** Whether only this person sees the clicked message. Slack removes it on a reload. */
  isEphemeral?: boolean | undefined;
  /** Called if Slack refuses an answer, which is then sent as a direct message, or refuses to delete a message. */
  onAnswerRefused(error: unknown): void;
}

/**
 * Delay between an answer that replaces a form and the next update of the view. They use different connections: without
 * a delay, Slack could process the update first and then replace it with the older view.
 */
const replaceDelayMs = 500;

export function createInteraction(options: InteractionOptions): Interaction {
  const { actor, quick, retrying, trigger, channel, message, respond, isEphemeral, onAnswerRefused } = options;
  let openId: string | undefined = options.view?.type === 'modal' ? options.view.id : undefined;
  let form: ViewOutput | undefined = options.view?.type === 'modal' ? options.view : undefined;
  /** The form, until something replaces it. While it is set, Slack keeps what is typed into it. */
  let replaceableForm = form;

  let hash: string | undefined;

  let whenReplaced = Promise.resolve();

  const show = async (view: ModalView): Promise<boolean> => {
    await whenReplaced;
    if (openId !== undefined) {
      hash = await updateView(retrying, { id: openId }, view);
      return hash !== undefined;
    }
    if (trigger === undefined) throw new Error('no trigger to open a modal with');
    const { view: opened } = await quick.views.open({ trigger_id: trigger, view });
    openId = opened?.id;
    hash = opened?.hash;
    return true;
  };

  /** Answers at the response_url. Resolves with false if that isn't possible. */
  async function answer(text: string, blocks?: Blocks): Promise<boolean> {
    if (respond === undefined) return false;
    try {
      await respond({ ...contentOf(text, blocks), replace_original: false, response_type: 'ephemeral' });
      return true;
    } catch (error) {
      onAnswerRefused(error);
      return false;
    }
  }

  const interaction: Interaction = {
    actor,
    client: retrying,
    channel,
    message,
    view: form,
    async open(view) {
      const replaced = replaceableForm;
      replaceableForm = undefined;
      return show(withFieldIds(view, replaced));
    },
    shownView: () => (openId === undefined || hash === undefined ? undefined : { id: openId, hash }),
    markReplaced() {
      whenReplaced = sleep(replaceDelayMs);
      replaceableForm = undefined;
    },
    whenReplaced: () => whenReplaced,
    markAnswered() {
      form = undefined;
    },
    async push(view) {
      if (trigger === undefined) throw new Error('no trigger to push a modal with');
      const pushing = quick.views.push({ trigger_id: trigger, view: withFieldIds(view) });
      const pushed = await pushing.catch((error: unknown) => {
        if (platformErrorOf(error) !== 'not_found') throw error;
        return undefined;
      });
      // If the form was closed, its id stays: later updates find nothing to update, and errors are sent as a message.
      openId = pushed?.view?.id ?? openId;
      // The form is below the new modal now, so errors go into the new one.
      form = undefined;
      replaceableForm = undefined;
    },
    async reply(text, blocks) {
      if (!(await answer(text, blocks))) await interaction.write(text, blocks);
    },
    async dismiss() {
      if (isEphemeral === true) await respond?.({ delete_original: true }).catch(onAnswerRefused);
    },
    write: (text, blocks) => post(retrying, actor.person, contentOf(text, blocks)),
    async showError(text, link) {
      const blocks = [line(`⚠️ ${text}`), ...linkBlocks(link)];
      if (openId !== undefined) {
        const plainView = { ...loadingView('Dropline'), blocks };
        const errorView = form === undefined || link !== undefined ? plainView : formWithError(form, text);
        if (await show(replaceableForm === undefined ? withFieldIds(errorView) : errorView).catch(() => false)) return;
      }
      const isAnswered = await answer(`⚠️ ${text}`, blocks);
      // An ephemeral message disappears, so it is never the only copy of a result.
      if (!isAnswered || isEphemeral === true) await interaction.write(`⚠️ ${text}`, blocks);
    },
  };
  return interaction;
}

/**
 * Updates a modal, if it is still open. With a hash, only if nothing has changed it since. Resolves with the new hash,
 * or with undefined if the modal wasn't updated.
 */
export async function updateView(
  client: WebClient,
  { id, hash }: { id: string; hash?: string | undefined },
  view: ModalView,
): Promise<string | undefined> {
  try {
    const updated = await client.views.update({ view_id: id, ...(hash !== undefined && { hash }), view });
    return updated.view?.hash ?? '';
  } catch (error) {
    const refusal = platformErrorOf(error);
    if (refusal === 'not_found' || refusal === 'hash_conflict') return undefined;
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

/** Like `openWhenReady`, on top of the modal that the person is in. */
export async function pushWhenReady(
  interaction: Interaction,
  title: string,
  prepare: () => Promise<ModalView>,
): Promise<void> {
  await interaction.push(loadingView(title));
  await interaction.open(await prepare());
}
